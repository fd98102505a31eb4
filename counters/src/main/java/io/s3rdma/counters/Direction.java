package io.s3rdma.counters;

/** Which way a transfer's bytes cross the port of the witness, which is the requester. */
public enum Direction {
  /** RDMA WRITE by the server (GET): the packets it sends. */
  WRITE,
  /** RDMA READ by the server (PUT): the packets it receives. */
  READ
}
