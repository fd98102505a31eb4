package io.s3rdma.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PartSumsTest {
  @ParameterizedTest
  @EnumSource(
      value = ChecksumAlgorithm.class,
      names = {"CRC32", "CRC32C", "CRC64NVME"})
  void shouldEqualSumOfWholeWhenJoined(ChecksumAlgorithm algorithm) {
    Random random = new Random(7);
    for (int round = 0; round < 50; round++) {
      byte[] whole = new byte[random.nextInt(1, 100_000)];
      random.nextBytes(whole);
      PartSums sums = new PartSums(algorithm);
      int at = 0;
      while (at < whole.length) {
        // Parts of no bytes too.
        int end = Math.min(whole.length, at + random.nextInt(20_000));
        sums.add(sum(algorithm, Arrays.copyOfRange(whole, at, end)), end - at);
        at = end;
      }

      assertThat(sums.fullObject()).isEqualTo(sum(algorithm, whole));
    }
  }

  /** Three parts of 5 MiB each of A, B and C; the values are those of the public S3 tests. */
  @ParameterizedTest
  @CsvSource({
    "CRC32, JRTCyQ==, QoZTGg==, YAgjqw==, WgDhBQ==",
    "CRC64NVME, L/E4WYn8v98=, xW1l19VobYM=, cK5MnNaWrW4=, i+6LR0y3eFo=",
  })
  void shouldGivePublishedValueWhenJoined(
      ChecksumAlgorithm algorithm, String first, String second, String third, String whole) {
    PartSums sums = new PartSums(algorithm);
    for (String part : new String[] {first, second, third}) {
      sums.add(part, 5 << 20);
    }

    assertThat(sums.fullObject()).isEqualTo(whole);
  }

  @Test
  void shouldGivePublishedValueWhenComposite() {
    PartSums sums = new PartSums(ChecksumAlgorithm.SHA256);
    sums.add("275VF5loJr1YYawit0XSHREhkFXYkkPKGuoK0x9VKxI=", 1);
    sums.add("mrHwOfjTL5Zwfj74F05HOQGLdUb7E5szdCbxgUSq6NM=", 1);
    sums.add("Vw7oB/nKQ5xWb3hNgbyfkvDiivl+U+/Dft48nfJfDow=", 1);

    assertThat(sums.composite()).isEqualTo("uWBwpe1dxI4Vw8Gf0X9ynOdw/SS6VBzfWm9giiv1sf4=-3");
  }

  @Test
  void shouldTellLongLengthsApartWhenJoined() {
    CrcJoiner joiner = ChecksumAlgorithm.CRC32.joiner();

    assertThat(joiner.join(1, 0, 1L << 40)).isNotEqualTo(joiner.join(1, 0, (1L << 40) + 1));
    assertThat(joiner.join(1, 5, 0)).isEqualTo(1 ^ 5);
  }

  @Test
  void shouldRefuseWhenDigestIsJoined() {
    assertThatThrownBy(ChecksumAlgorithm.SHA1::joiner).isInstanceOf(IllegalStateException.class);
  }

  private static String sum(ChecksumAlgorithm algorithm, byte[] content) {
    Hasher hasher = algorithm.newHasher();
    hasher.update(ByteBuffer.wrap(content));
    return Base64.getEncoder().encodeToString(hasher.finish());
  }
}
