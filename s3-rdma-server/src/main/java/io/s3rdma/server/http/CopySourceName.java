package io.s3rdma.server.http;

/**
 * The header x-amz-copy-source: {@code bucket/key?versionId=id}, percent-encoded as a whole or but
 * for its slashes, with or without a slash in front. A plus sign is a plus sign.
 *
 * @param versionId empty for the current version
 */
public record CopySourceName(String bucket, String key, String versionId) {
  private static final String VERSION = "?versionId=";

  /** Refuses what names no object. */
  public static CopySourceName of(String header) {
    // A question mark of the key is encoded, so this one begins the query.
    int question = header.lastIndexOf(VERSION);
    String version = question < 0 ? "" : decoded(header.substring(question + VERSION.length()));
    String path = decoded(question < 0 ? header : header.substring(0, question));
    path = path.startsWith("/") ? path.substring(1) : path;
    int slash = path.indexOf('/');
    if (slash < 1 || slash == path.length() - 1 || (question >= 0 && version.isEmpty())) {
      throw invalid("must be bucket/key or bucket/key?versionId=id", null);
    }
    return new CopySourceName(path.substring(0, slash), path.substring(slash + 1), version);
  }

  private static String decoded(String raw) {
    try {
      return UriCodec.decode(raw);
    } catch (S3Exception e) {
      throw invalid("must be URL-encoded", e);
    }
  }

  private static S3Exception invalid(String message, S3Exception cause) {
    return new S3Exception(
            S3ErrorCode.INVALID_ARGUMENT, HttpNames.AMZ_COPY_SOURCE + " " + message, cause)
        .withDetail("ArgumentName", HttpNames.AMZ_COPY_SOURCE);
  }
}
