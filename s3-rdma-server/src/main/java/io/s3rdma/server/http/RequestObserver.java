package io.s3rdma.server.http;

/** Told of every answered request; must not block. */
@FunctionalInterface
public interface RequestObserver {
  void answered(Answered answered);

  /**
   * What is known once an answer is on its way.
   *
   * @param transport what carried the object's bytes
   * @param bytesIn octets of the request's body that were read, or moved in by the transport
   * @param bytesOut octets of the answer's body, or moved out by the transport
   */
  record Answered(
      String method, int status, String transport, long bytesIn, long bytesOut, long nanos) {}
}
