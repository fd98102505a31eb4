package io.s3rdma.server.http;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/** Dates of HTTP and of S3's XML. */
public final class HttpDates {
  private static final DateTimeFormatter IMF =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter ISO_MILLIS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private HttpDates() {}

  public static String format(Instant time) {
    return IMF.format(time);
  }

  public static String iso(Instant time) {
    return ISO_MILLIS.format(time);
  }

  /** Empty for what is no date: a condition with such a date does not count. */
  public static Optional<Instant> parse(String text) {
    try {
      return Optional.of(
          ZonedDateTime.parse(text.trim(), DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
