package io.s3rdma.rdma;

/** The key that lets a peer reach a region or window. Never logged. */
public record RemoteKey(int value) {
  @Override
  public String toString() {
    return "rkey(hidden)";
  }
}
