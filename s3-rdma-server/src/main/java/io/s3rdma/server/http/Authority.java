package io.s3rdma.server.http;

import java.time.Clock;

/**
 * Who may use this server: the valid keys, whose the buckets are, and whether requests without a
 * signature are let in where a canned ACL or a policy says so.
 *
 * @param region of the signing scope
 */
public record Authority(
    String region, Credentials credentials, AccessPolicy policy, boolean allowsAnonymous) {

  /** What the signer of this request may do. */
  Access access(Identity identity, RequestHead head, Clock clock) {
    return new Access(this, identity, head, clock);
  }
}
