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
  private static final String COPY_SOURCE_PREFIX = "x-amz-copy-source-";

  private final S3Request request;
  private final ObjectMeta meta;
  private final String prefix;

  private ReadConditions(S3Request request, ObjectMeta meta, String prefix) {
    this.request = request;
    this.meta = meta;
    this.prefix = prefix;
  }

  /** Refuses with 412; false means 304. */
  static boolean hold(S3Request request, ObjectMeta meta) {
    ReadConditions conditions = new ReadConditions(request, meta, "");
    conditions.requireMatch();
    return conditions.isNew();
  }

  /** Those on the source of a copy; refuses with 412, whichever does not hold. */
  static void require(S3Request request, ObjectMeta source) {
    ReadConditions conditions = new ReadConditions(request, source, COPY_SOURCE_PREFIX);
    conditions.requireMatch();
    require(conditions.isNew(), COPY_SOURCE_PREFIX + "If-None-Match or If-Modified-Since");
  }

  private void requireMatch() {
    List<String> match = ETags.parse(request, prefix + HttpNames.IF_MATCH);
    if (!match.isEmpty()) {
      require(ETags.match(match, meta.etag()), prefix + "If-Match");
      return;
    }
    boolean unmodified =
        date(HttpNames.IF_UNMODIFIED_SINCE).map(since -> !modified().isAfter(since)).orElse(true);
    require(unmodified, prefix + "If-Unmodified-Since");
  }

  private boolean isNew() {
    List<String> noneMatch = ETags.parse(request, prefix + HttpNames.IF_NONE_MATCH);
    return noneMatch.isEmpty()
        ? date(HttpNames.IF_MODIFIED_SINCE).map(since -> modified().isAfter(since)).orElse(true)
        : !ETags.match(noneMatch, meta.etag());
  }

  private static void require(boolean holds, String condition) {
    if (!holds) {
      throw new S3Exception(S3ErrorCode.PRECONDITION_FAILED).withDetail("Condition", condition);
    }
  }

  private Optional<Instant> date(String header) {
    return request.header(prefix + header).flatMap(HttpDates::parse);
  }

  /** HTTP's dates have seconds. */
  private Instant modified() {
    return meta.lastModified().truncatedTo(ChronoUnit.SECONDS);
  }
}
