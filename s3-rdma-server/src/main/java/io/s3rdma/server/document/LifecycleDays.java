package io.s3rdma.server.document;

import java.time.Instant;

/**
 * How long a day of a rule is. A real one ends, as in S3, at the midnight (UTC) behind the full
 * count; a shorter one is for tests of whoever cannot wait, and ends at once.
 */
public record LifecycleDays(long seconds) {
  /** 24 hours. */
  public static final LifecycleDays REAL = new LifecycleDays(86_400);

  Instant after(Instant since, long count) {
    Instant end = since.plusSeconds(Math.multiplyExact(count, seconds));
    if (seconds != REAL.seconds) {
      return end;
    }
    long into = Math.floorMod(end.getEpochSecond(), seconds);
    boolean midnight = into == 0 && end.getNano() == 0;
    return midnight ? end : Instant.ofEpochSecond(end.getEpochSecond() - into + seconds);
  }
}
