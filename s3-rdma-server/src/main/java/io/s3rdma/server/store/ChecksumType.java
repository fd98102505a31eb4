package io.s3rdma.server.store;

/** What an object's checksums are over. */
public enum ChecksumType {
  /** All of its bytes. */
  FULL_OBJECT,
  /** The checksums of its parts, one after the other; the value ends in {@code -N}. */
  COMPOSITE
}
