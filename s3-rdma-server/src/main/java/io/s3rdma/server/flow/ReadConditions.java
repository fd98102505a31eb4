package io.s3rdma.server.flow;

import io.s3rdma.server.http.HttpDates;
import io.s3rdma.server.http.HttpNames;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.store.ObjectMeta;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** If-Match beats If-Unmodified-Since, If-None-Match beats If-Modified-Since. */
final class ReadConditions {
  private ReadConditions() {}

  /** Refuses with 412; false means 304. */
  static boolean hold(S3Request request, ObjectMeta meta) {
    requireMatch(request, meta);
    List<String> noneMatch = ETags.parse(request, HttpNames.IF_NONE_MATCH);
    if (!noneMatch.isEmpty()) {
      return !ETags.match(noneMatch, meta.etag());
    }
    return date(request, HttpNames.IF_MODIFIED_SINCE)
        .map(since -> modified(meta).isAfter(since))
        .orElse(true);
  }

  private static void requireMatch(S3Request request, ObjectMeta meta) {
    List<String> match = ETags.parse(request, HttpNames.IF_MATCH);
    if (!match.isEmpty()) {
      require(ETags.match(match, meta.etag()), "If-Match");
      return;
    }
    boolean unmodified =
        date(request, HttpNames.IF_UNMODIFIED_SINCE)
            .map(since -> !modified(meta).isAfter(since))
            .orElse(true);
    require(unmodified, "If-Unmodified-Since");
  }

  private static void require(boolean holds, String condition) {
    if (!holds) {
      throw new S3Exception(S3ErrorCode.PRECONDITION_FAILED).withDetail("Condition", condition);
    }
  }

  private static Optional<Instant> date(S3Request request, String header) {
    return request.header(header).flatMap(HttpDates::parse);
  }

  /** HTTP's dates have seconds. */
  private static Instant modified(ObjectMeta meta) {
    return meta.lastModified().truncatedTo(ChronoUnit.SECONDS);
  }
}
