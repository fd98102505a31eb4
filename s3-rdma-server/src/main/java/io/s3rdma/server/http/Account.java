package io.s3rdma.server.http;

/** Whom buckets belong to; several access keys may be one account. */
public record Account(String id, String displayName) {
  /** That of every key whose account nobody named. */
  public static final Account DEFAULT = new Account("s3rdma", "s3rdma");

  static final Account ANONYMOUS = new Account("anonymous", "anonymous");
}
