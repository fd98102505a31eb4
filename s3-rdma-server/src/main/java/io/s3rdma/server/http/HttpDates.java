package io.s3rdma.server.http;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/** Dates of HTTP and of S3's XML. */
public final class HttpDates {
  private static final String[] DAYS = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
  private static final String[] MONTHS = {
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"
  };
  private static final DateTimeFormatter ISO_MILLIS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private HttpDates() {}

  /** By hand, since every answer has two and a formatter takes microseconds. */
  public static String format(Instant time) {
    LocalDateTime utc = LocalDateTime.ofEpochSecond(time.getEpochSecond(), 0, ZoneOffset.UTC);
    StringBuilder out = new StringBuilder(29);
    out.append(DAYS[utc.getDayOfWeek().getValue() - 1]).append(", ");
    two(out, utc.getDayOfMonth()).append(' ').append(MONTHS[utc.getMonthValue() - 1]).append(' ');
    two(out, utc.getYear() / 100);
    two(out, utc.getYear() % 100).append(' ');
    two(out, utc.getHour()).append(':');
    two(out, utc.getMinute()).append(':');
    return two(out, utc.getSecond()).append(" GMT").toString();
  }

  private static StringBuilder two(StringBuilder out, int number) {
    return out.append((char) ('0' + number / 10)).append((char) ('0' + number % 10));
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
