package io.s3rdma.server.http;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/**
 * P-4.1: what a request needs by its method, level and subresource alone, before its operation is
 * asked anything. What is not named here needs the most.
 */
final class AccessRule {
  /** Subresources of an object that its data's rights, and so an ACL, cover. */
  private static final Set<String> DATA = Set.of("", "versionId", "uploads", "uploadId");

  private AccessRule() {}

  static void require(Access access, Router.Target target, RequestHead head) throws IOException {
    switch (target.level()) {
      case SERVICE -> requireSigned(access);
      case BUCKET -> requireBucket(access, target, head);
      case OBJECT -> requireObject(access, target, head.method());
    }
    Optional<String> expected = head.headers().first(HttpNames.AMZ_EXPECTED_BUCKET_OWNER);
    if (expected.isPresent()) {
      access.requireOwner(target.bucket(), expected.get());
    }
  }

  private static void requireSigned(Access access) {
    if (access.identity().isAnonymous()) {
      throw new S3Exception(S3ErrorCode.ACCESS_DENIED, "the request is not signed");
    }
  }

  private static void requireObject(Access access, Router.Target target, String method)
      throws IOException {
    String bucket = target.bucket();
    String key = target.key();
    boolean reads = method.equals("GET") || method.equals("HEAD");
    boolean data = DATA.contains(target.subresource());
    if (reads && data) {
      access.requireRead(bucket, key);
    } else if (reads) {
      access.requireOwnRead(bucket, key);
    } else if (data) {
      access.requireWrite(bucket, key);
    } else {
      access.requireOwnWrite(bucket, key);
    }
  }

  private static void requireBucket(Access access, Router.Target target, RequestHead head)
      throws IOException {
    String bucket = target.bucket();
    switch (head.method() + ' ' + target.subresource()) {
      case "GET ", "GET versions", "GET uploads" ->
          access.requireList(bucket, head.query().first("prefix").orElse(""));
      case "HEAD ", "GET location" -> access.requireSee(bucket);
      case "PUT " -> access.requireCreate(bucket);
      // The operation asks again for each key of its body.
      case "POST delete", "POST " -> access.requireWriteIn(bucket);
      default -> {
        if (head.method().equals("GET")) {
          access.requireInspect(bucket);
        } else {
          access.requireAdminister(bucket);
        }
      }
    }
  }
}
