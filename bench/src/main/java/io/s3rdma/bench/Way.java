package io.s3rdma.bench;

import io.s3rdma.rdma.HostBuffer;

/** How a client process reads an object into memory of the caller. */
interface Way extends AutoCloseable {
  /** Returns when the object's bytes are there; throws if they are not what was to be measured. */
  void get(String bucket, String key, HostBuffer into);

  /** Will not be used for a while: ends what would go on ticking in others' figures. */
  default void rest() {}

  @Override
  void close();
}
