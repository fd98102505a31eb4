package io.s3rdma.server.flow;

import io.s3rdma.server.http.HttpNames;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.http.UriCodec;
import io.s3rdma.server.store.ObjectRef;
import java.io.IOException;
import java.util.Optional;

/**
 * The header x-amz-copy-source: {@code bucket/key?versionId=id}, percent-encoded as a whole or but
 * for its slashes, with or without a slash in front. A plus sign is a plus sign.
 */
final class CopySource {
  private static final String VERSION = "?versionId=";

  private CopySource() {}

  static ObjectRef of(S3Request request) {
    String raw = request.header(HttpNames.AMZ_COPY_SOURCE).orElse("");
    // A question mark of the key is encoded, so this one begins the query.
    int question = raw.lastIndexOf(VERSION);
    String version = question < 0 ? "" : decoded(raw.substring(question + VERSION.length()));
    String path = decoded(question < 0 ? raw : raw.substring(0, question));
    path = path.startsWith("/") ? path.substring(1) : path;
    int slash = path.indexOf('/');
    if (slash < 1 || slash == path.length() - 1 || (question >= 0 && version.isEmpty())) {
      throw invalid("must be bucket/key or bucket/key?versionId=id", null);
    }
    return new ObjectRef(path.substring(0, slash), path.substring(slash + 1), version);
  }

  /** The same, which the signer may read, in a bucket of whom the request expects it to be. */
  static ObjectRef readable(S3Request request) throws IOException {
    ObjectRef source = of(request);
    request.requireRead(source.bucket(), source.key());
    Optional<String> owner = request.header(HttpNames.AMZ_SOURCE_EXPECTED_BUCKET_OWNER);
    if (owner.isPresent()) {
      request.access().requireOwner(source.bucket(), owner.get());
    }
    return source;
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
