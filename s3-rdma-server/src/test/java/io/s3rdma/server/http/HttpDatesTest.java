package io.s3rdma.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HttpDatesTest {
  private static final DateTimeFormatter IMF =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  @Test
  void shouldWriteWhatTheJdkWritesAndReadItAgain() {
    Random random = new Random(7);
    long first = Instant.parse("1970-01-01T00:00:00Z").getEpochSecond();
    long last = Instant.parse("2400-01-01T00:00:00Z").getEpochSecond();
    for (int i = 0; i < 2000; i++) {
      Instant time = Instant.ofEpochSecond(random.nextLong(first, last));
      assertThat(HttpDates.format(time.plusNanos(999_999_999))).isEqualTo(IMF.format(time));
      assertThat(HttpDates.parse(HttpDates.format(time))).hasValue(time);
    }
  }
}
