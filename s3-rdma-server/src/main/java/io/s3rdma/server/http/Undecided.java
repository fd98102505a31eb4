package io.s3rdma.server.http;

/** Which values of a request conditions of a policy cannot find where they look for them. */
enum Undecided {
  NOTHING,
  /** What an upload was given when it began: its parts and its end do not say it again. */
  OF_UPLOAD,
  /** The tags that stand in the body, until it was read. */
  TAGS_OF_BODY
}
