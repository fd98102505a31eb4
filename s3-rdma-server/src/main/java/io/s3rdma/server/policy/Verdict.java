package io.s3rdma.server.policy;

/** What a policy says to a question. */
public enum Verdict {
  /** An explicit denial, which nothing outweighs. */
  DENIED,
  /** To the caller itself, or to everybody. */
  ALLOWED,
  /** To the caller's account, which may pass it on: to its users by their own rights only. */
  ALLOWED_TO_ACCOUNT,
  /** Nothing. */
  SILENT
}
