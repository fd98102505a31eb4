package io.s3rdma.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class ProgressTest {
  private static final long MILLI = 1_000_000L;
  private final AtomicLong clock = new AtomicLong();
  private final StringWriter terminal = new StringWriter();

  private Progress progress(long totalBytes) {
    return new Progress(Optional.of(new PrintWriter(terminal)), clock::get, "get k", totalBytes);
  }

  @Test
  void shouldShowShareRateAndRestWhenUnderWay() {
    Progress progress = progress(4_000_000);
    progress.advance(1_000_000);

    assertThat(progress.line(2))
        .isEqualTo("get k [#######.......................]  25% of 3.8 MiB, 0.5 MB/s, 6 s left");
  }

  @Test
  void shouldBeFullWhenAllHasCome() {
    Progress progress = progress(10);
    progress.advance(10);

    assertThat(progress.line(1)).contains("[" + "#".repeat(30) + "] 100%").doesNotContain("left");
  }

  @Test
  void shouldDrawNothingWhenTheTransferIsShort() {
    try (Progress progress = progress(10)) {
      clock.set(999 * MILLI);
      progress.advance(5);
    }

    assertThat(terminal.toString()).isEmpty();
  }

  @Test
  void shouldDrawAtMostTenTimesASecondAndCleanUpWhenLong() {
    try (Progress progress = progress(1000)) {
      for (int i = 0; i < 200; i++) {
        clock.addAndGet(10 * MILLI);
        progress.advance(1);
      }
    }

    assertThat(terminal.toString().chars().filter(c -> c == '\r').count()).isBetween(8L, 12L);
    assertThat(terminal.toString()).endsWith("\r\u001b[K");
  }

  @Test
  void shouldDrawNothingWhenThereIsNoTerminal() {
    try (Progress progress = new Progress(Optional.empty(), clock::get, "get k", 10)) {
      clock.set(5000 * MILLI);
      progress.advance(5);
    }

    assertThat(terminal.toString()).isEmpty();
  }
}
