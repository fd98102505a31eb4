package io.s3rdma.server.encryption;

/** How a new object's bytes are to be kept. */
public sealed interface Protection {
  Protection NONE = new None();
  Protection SERVER = new Server();

  /** As they are. */
  record None() implements Protection {}

  /** Encrypted with a key that the server seals with its master key (SSE-S3). */
  record Server() implements Protection {}

  /** Encrypted with a key that is sealed with the customer's (SSE-C). */
  record Customer(CustomerKey key) implements Protection {}
}
