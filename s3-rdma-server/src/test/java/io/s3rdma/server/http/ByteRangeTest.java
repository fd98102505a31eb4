package io.s3rdma.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteRangeTest {
  @ParameterizedTest
  @CsvSource({
    "bytes=0-9, 10, 0, 10",
    "bytes=0-0, 10, 0, 1",
    "bytes=4-, 10, 4, 6",
    "bytes=4-100, 10, 4, 6",
    "bytes=-3, 10, 7, 3",
    "bytes=-30, 10, 0, 10",
    "bytes=0-99999999999999999999, 1, 0, 1",
  })
  void shouldSelectWhenRangeOverlaps(String header, long size, long first, long length) {
    assertThat(ByteRange.select(Optional.of(header), size))
        .isEqualTo(new ByteRange(first, length, true));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"bytes=5-4", "bytes=0-1,3-4", "bytes=-", "bytes=a-b", "items=0-1", "bytes=", ""})
  void shouldGiveWholeWhenHeaderDoesNotCount(String header) {
    assertThat(ByteRange.select(Optional.of(header), 10)).isEqualTo(new ByteRange(0, 10, false));
  }

  @ParameterizedTest
  @CsvSource({"bytes=0-, 0", "bytes=0-0, 0", "bytes=10-, 10", "bytes=-0, 10", "bytes=11-12, 10"})
  void shouldRefuseWhenRangeLiesBehind(String header, long size) {
    assertThatThrownBy(() -> ByteRange.select(Optional.of(header), size))
        .isInstanceOfSatisfying(
            S3Exception.class,
            e -> {
              assertThat(e.code()).isEqualTo(S3ErrorCode.INVALID_RANGE);
              assertThat(e.headers().first("content-range")).contains("bytes */" + size);
              assertThat(e.details()).containsEntry("ActualObjectSize", Long.toString(size));
            });
  }

  @Test
  void shouldGiveEmptyWholeWhenSuffixOfEmptyObject() {
    assertThat(ByteRange.select(Optional.of("bytes=-5"), 0)).isEqualTo(new ByteRange(0, 0, false));
  }

  @Test
  void shouldTellContentRangeWhenPartial() {
    assertThat(new ByteRange(4, 6, true).contentRange(10)).isEqualTo("bytes 4-9/10");
  }
}
