package io.s3rdma.server.http;

import java.io.IOException;
import java.util.Optional;

/** What the store knows about who may use what. Asked on operation threads; may block. */
public interface AccessPolicy {
  /** The name of a canned ACL that opens nothing; the empty text means the same. */
  String PRIVATE = "private";

  /** Knows no bucket, so that only the rights of keys count. */
  AccessPolicy NONE = bucket -> Optional.empty();

  /** The id of the account that owns the bucket; empty if there is no such bucket. */
  Optional<String> ownerOf(String bucket) throws IOException;

  /** The canned ACL of a bucket that exists; one that is not known opens nothing. */
  default String acl(String bucket) throws IOException {
    return PRIVATE;
  }

  /** The canned ACL of an object's current version; empty if there is no such object. */
  default Optional<String> acl(String bucket, String key) throws IOException {
    return Optional.of(PRIVATE);
  }
}
