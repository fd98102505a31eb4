package io.s3rdma.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FiguresTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "1023, 1023 B",
    "1024, 1.0 KiB",
    "1536, 1.5 KiB",
    "1048575, 1.0 MiB",
    "1048576, 1.0 MiB",
    "4294967295, 4.0 GiB",
    "9223372036854775807, 8192.0 PiB"
  })
  void shouldRoundToAUnitThatReadsWellWhenBytesAreShown(long bytes, String text) {
    assertThat(Figures.bytes(bytes)).isEqualTo(text);
  }

  @Test
  void shouldNotDivideWhenNoTimeHasPassed() {
    assertThat(Figures.rate(5, 0)).isEqualTo("0.0 MB/s");
    assertThat(Figures.rate(5_000_000, 2)).isEqualTo("2.5 MB/s");
  }
}
