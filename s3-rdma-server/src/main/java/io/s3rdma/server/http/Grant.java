package io.s3rdma.server.http;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Rights below a prefix of the buckets that a pattern names.
 *
 * @param bucket a name, a beginning with an asterisk behind it, or an asterisk for all
 * @param prefix what a key must begin with; empty for the whole bucket
 */
public record Grant(String bucket, String prefix, Set<Right> rights) {
  /** Every right on everything. */
  public static final Grant ALL = new Grant("*", "", EnumSet.allOf(Right.class));

  public Grant {
    rights = Set.copyOf(rights);
  }

  boolean coversBucket(String name) {
    return bucket.endsWith("*")
        ? name.startsWith(bucket.substring(0, bucket.length() - 1))
        : name.equals(bucket);
  }

  /** {@code name} is a key, or the prefix of a listing. */
  private boolean allows(Right right, String inBucket, String name) {
    return rights.contains(right) && coversBucket(inBucket) && name.startsWith(prefix);
  }

  static boolean anyAllows(List<Grant> grants, Right right, String bucket, String name) {
    return grants.stream().anyMatch(grant -> grant.allows(right, bucket, name));
  }
}
