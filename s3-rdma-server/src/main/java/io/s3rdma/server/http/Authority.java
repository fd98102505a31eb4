package io.s3rdma.server.http;

/**
 * Who may use this server: the valid keys, whose the buckets are, and whether requests without a
 * signature are let in where a canned ACL says so.
 *
 * @param region of the signing scope
 */
public record Authority(
    String region, Credentials credentials, AccessPolicy policy, boolean allowsAnonymous) {

  Access access(Identity identity) {
    return new Access(this, identity);
  }
}
