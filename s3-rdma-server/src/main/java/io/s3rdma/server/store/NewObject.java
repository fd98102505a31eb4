package io.s3rdma.server.store;

import java.util.Map;

/**
 * What a new version gets besides its bytes.
 *
 * @param attributes headers to give back, lower-case names
 * @param acl name of the canned ACL; empty is private
 */
public record NewObject(
    String bucket,
    String key,
    Map<String, String> attributes,
    Map<String, String> tags,
    String acl) {
  public NewObject {
    attributes = Map.copyOf(attributes);
    tags = Map.copyOf(tags);
  }

  public static NewObject of(String bucket, String key) {
    return new NewObject(bucket, key, Map.of(), Map.of(), "");
  }
}
