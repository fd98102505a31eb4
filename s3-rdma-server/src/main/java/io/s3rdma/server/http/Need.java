package io.s3rdma.server.http;

/** What a key needs in the terms of the keys file, and whether a canned ACL opens it to others. */
enum Need {
  /** Reading an object. */
  READ,
  /** Reading of an object what no ACL opens. */
  OWN_READ,
  /** Writing or deleting an object. */
  WRITE,
  /** Changing of an object what no ACL opens. */
  OWN_WRITE,
  /** Writing some object of the bucket; which, the operation asks for each. */
  WRITE_SOME,
  /** Listing below a prefix. */
  LIST,
  /** Knowing that the bucket is there, and where. */
  SEE,
  /** Reading a bucket's settings. */
  INSPECT,
  /** Changing, or reading, what rules the bucket. */
  ADMINISTER
}
