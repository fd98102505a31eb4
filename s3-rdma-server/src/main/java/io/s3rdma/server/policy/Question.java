package io.s3rdma.server.policy;

/**
 * May this caller do this to that?
 *
 * @param key empty for the bucket itself
 */
public record Question(
    Caller caller, PolicyAction action, String bucket, String key, RequestValues values) {

  /** What stands behind {@code arn:aws:s3:::}. */
  String resource() {
    return key.isEmpty() ? bucket : bucket + '/' + key;
  }
}
