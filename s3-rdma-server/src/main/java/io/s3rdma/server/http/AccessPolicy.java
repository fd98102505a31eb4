package io.s3rdma.server.http;

import io.s3rdma.server.policy.BucketPolicy;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** What the store knows about who may use what. Asked on operation threads; may block. */
public interface AccessPolicy {
  /** The name of a canned ACL that opens nothing; the empty text means the same. */
  String PRIVATE = "private";

  /** Knows no bucket, so that only the rights of keys count. */
  AccessPolicy NONE = bucket -> Optional.empty();

  /** The id of the account that owns the bucket; empty if there is no such bucket. */
  Optional<String> ownerOf(String bucket) throws IOException;

  /** The bucket's policy; {@link BucketPolicy#NONE} without one or without a bucket. */
  default BucketPolicy policyOf(String bucket) throws IOException {
    return BucketPolicy.NONE;
  }

  /** Whether the bucket's policy may keep even the root of its account from changing it. */
  default boolean bindsRoot(String bucket) throws IOException {
    return false;
  }

  /** The canned ACL of a bucket that exists; one that is not known opens nothing. */
  default String acl(String bucket) throws IOException {
    return PRIVATE;
  }

  /** Of an object's version, or of the current one; empty if there is none. */
  default Optional<ObjectLabels> labels(String bucket, String key, String versionId)
      throws IOException {
    return Optional.of(new ObjectLabels(PRIVATE, Map.of()));
  }

  /** The tags that the header x-amz-tagging holds. */
  default Map<String, String> tags(String header) {
    return Map.of();
  }
}
