package io.s3rdma.server.document;

import io.s3rdma.server.http.Headers;
import io.s3rdma.server.http.HttpNames;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import java.util.Locale;
import java.util.Set;

/**
 * The access lists that have a name in S3. There are no others here: a grant to a single account is
 * answered 501.
 */
public enum CannedAcl {
  PRIVATE(""),
  PUBLIC_READ("READ"),
  PUBLIC_READ_WRITE("READ,WRITE"),
  AUTHENTICATED_READ("READ");

  /** The name of the setting of a bucket. */
  public static final String SETTING = "acl";

  // The bucket's owner owns all objects in it, so these give nothing more than private.
  private static final Set<String> SAME_AS_PRIVATE =
      Set.of("bucket-owner-read", "bucket-owner-full-control");
  private static final Set<String> UNSUPPORTED = Set.of("aws-exec-read", "log-delivery-write");
  private static final String GRANT_PREFIX = "x-amz-grant-";

  private final String publicPermissions;

  CannedAcl(String publicPermissions) {
    this.publicPermissions = publicPermissions;
  }

  /**
   * What a request asks for in {@code x-amz-acl}: private if it does not. Refuses unknown names,
   * and grants by header.
   */
  public static CannedAcl ofHeaders(Headers headers) {
    for (String name : headers.names()) {
      if (name.startsWith(GRANT_PREFIX)) {
        throw new S3Exception(
            S3ErrorCode.NOT_IMPLEMENTED, name + " is not implemented here; use x-amz-acl");
      }
    }
    return headers.first(HttpNames.AMZ_ACL).map(CannedAcl::ofRequest).orElse(PRIVATE);
  }

  private static CannedAcl ofRequest(String name) {
    if (SAME_AS_PRIVATE.contains(name)) {
      return PRIVATE;
    }
    for (CannedAcl acl : values()) {
      if (acl.text().equals(name)) {
        return acl;
      }
    }
    throw UNSUPPORTED.contains(name)
        ? new S3Exception(S3ErrorCode.NOT_IMPLEMENTED, "x-amz-acl: " + name)
        : new S3Exception(S3ErrorCode.INVALID_ARGUMENT, "x-amz-acl has no value " + name);
  }

  /** What the store keeps: {@link #stored}. */
  public static CannedAcl ofStored(String stored) {
    return stored.isEmpty() ? PRIVATE : valueOf(stored.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  /** For {@code NewObject.acl} and the bucket's setting: empty for private. */
  public String stored() {
    return this == PRIVATE ? "" : text();
  }

  /** As S3 writes it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether anybody may read; of a bucket: list it. */
  boolean letsAnybodyRead() {
    return this == PUBLIC_READ || this == PUBLIC_READ_WRITE;
  }

  /** What the group of this list may do, in S3's words. */
  Set<String> permissions() {
    return publicPermissions.isEmpty() ? Set.of() : Set.of(publicPermissions.split(","));
  }
}
