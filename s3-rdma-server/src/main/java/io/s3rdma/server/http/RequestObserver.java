package io.s3rdma.server.http;

/** Told of every answered request and of connections; must not block. */
@FunctionalInterface
public interface RequestObserver {
  void answered(Answered answered);

  default void connectionOpened() {}

  /** Follows {@link #connectionOpened}. */
  default void connectionClosed() {}

  /** A connection that was closed at once, and not opened. */
  default void connectionRefused(Refusal reason) {}

  /** An open connection whose client kept us waiting. */
  default void connectionTimedOut(Timeout awaited) {}

  /** Why a connection is not wanted. */
  enum Refusal {
    TOTAL,
    ADDRESS,
    STOPPING
  }

  /** What did not come in time. */
  enum Timeout {
    HANDSHAKE,
    HEAD,
    BODY,
    ANSWER_TAKEN,
    NEXT_REQUEST
  }

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
