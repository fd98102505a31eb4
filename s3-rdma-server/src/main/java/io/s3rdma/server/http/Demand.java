package io.s3rdma.server.http;

import io.s3rdma.server.policy.PolicyAction;

/**
 * One thing that a request wants to do.
 *
 * @param action null for what this server does not do: it answers 501, and no policy opens it
 * @param name a key, the prefix of a listing, or empty for the bucket itself
 * @param versionId empty for the current version, and for what is no object
 */
record Demand(
    Need need,
    PolicyAction action,
    String bucket,
    String name,
    String versionId,
    Undecided undecided) {
  Demand(Need need, PolicyAction action, String bucket, String name, String versionId) {
    this(need, action, bucket, name, versionId, Undecided.NOTHING);
  }

  static Demand ofBucket(Need need, PolicyAction action, String bucket, String prefix) {
    return new Demand(need, action, bucket, prefix, "");
  }

  /** Empty for a bucket: the prefix of a listing is a condition, not what is listed. */
  String key() {
    return switch (need) {
      case READ, OWN_READ, WRITE, OWN_WRITE -> name;
      case WRITE_SOME, LIST, SEE, INSPECT, ADMINISTER -> "";
    };
  }

  boolean isOf(String otherBucket, String otherKey) {
    return bucket.equals(otherBucket) && key().equals(otherKey);
  }
}
