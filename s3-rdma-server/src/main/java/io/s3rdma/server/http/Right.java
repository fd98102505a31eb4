package io.s3rdma.server.http;

/** What an access key may be allowed to do; each right stands alone. */
public enum Right {
  /** GET and HEAD of objects. */
  READ,
  /** PUT, POST and DELETE of objects. */
  WRITE,
  /** Listings: of objects, versions and uploads. */
  LIST,
  /** Creating, deleting and configuring a bucket. */
  ADMIN
}
