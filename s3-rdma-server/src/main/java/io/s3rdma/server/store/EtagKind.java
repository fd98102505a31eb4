package io.s3rdma.server.store;

/** What an object's ETag is made of. */
public enum EtagKind {
  /** The MD5 of the content, as plain S3 clients expect of a plain PUT. */
  MD5,
  /**
   * Random, with the suffix {@code -1} that tells clients (as that of a multipart upload does) that
   * it is no MD5. For bytes that came by RDMA: MD5 costs more CPU than all the rest of such a
   * transfer.
   */
  OPAQUE
}
