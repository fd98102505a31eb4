package io.s3rdma.server.flow;

import io.s3rdma.server.http.HttpNames;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;
import java.util.List;
import java.util.Set;

/** What would change an object's meaning is refused, never ignored. */
final class Unsupported {
  private static final List<String> PREFIXES =
      List.of("x-amz-object-lock-", "x-amz-website-redirect-location", "x-amz-write-offset-bytes");

  /**
   * Classes that promise an immediate read. They differ from STANDARD in price and in copies kept,
   * so an object asked for in one of them is kept, and reported, as STANDARD.
   */
  private static final Set<String> KEPT_AS_STANDARD =
      Set.of(
          "STANDARD",
          "REDUCED_REDUNDANCY",
          "STANDARD_IA",
          "ONEZONE_IA",
          "INTELLIGENT_TIERING",
          "GLACIER_IR",
          "EXPRESS_ONEZONE");

  private static final Set<String> ARCHIVES = Set.of("GLACIER", "DEEP_ARCHIVE", "SNOW", "OUTPOSTS");

  private Unsupported() {}

  static void refuse(S3Request request) {
    request.headers().forEach((header, value) -> refuse(header));
    String storageClass = request.header(HttpNames.AMZ_STORAGE_CLASS).orElse("STANDARD");
    if (ARCHIVES.contains(storageClass)) {
      throw new S3Exception(
          S3ErrorCode.NOT_IMPLEMENTED, "the storage class " + storageClass + " is not there");
    }
    if (!KEPT_AS_STANDARD.contains(storageClass)) {
      throw new S3Exception(S3ErrorCode.INVALID_STORAGE_CLASS);
    }
  }

  private static void refuse(String header) {
    if (Encryption.isMention(header) && !Encryption.SERVED.contains(header)) {
      throw notThere(header); // KMS and its kin
    }
    for (String prefix : PREFIXES) {
      if (header.startsWith(prefix)) {
        throw notThere(header);
      }
    }
  }

  private static S3Exception notThere(String header) {
    return new S3Exception(S3ErrorCode.NOT_IMPLEMENTED, header + " is not implemented here");
  }
}
