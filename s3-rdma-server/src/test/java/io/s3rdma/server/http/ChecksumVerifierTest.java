package io.s3rdma.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChecksumVerifierTest {
  // The check value of each algorithm's catalogue entry is over this text.
  private static final byte[] CHECK = "123456789".getBytes(StandardCharsets.US_ASCII);

  @ParameterizedTest
  @CsvSource({
    "crc32, y/Q5Jg==",
    "crc32c, 4waSgw==",
    "crc64nvme, rosUhgp5mIg=",
    "sha1, 98O8HYCOBHMq32eZZczDTKeuNEE=",
    "sha256, FeKw08M4keuw8e9gnsQZQgwg4yDOlMZfvIwzEkSOsiU=",
  })
  void shouldAcceptWhenChecksumIsRight(String name, String value) {
    String header = "x-amz-checksum-" + name;
    ChecksumVerifier verifier = ChecksumVerifier.forRequest(Headers.of(header, value));
    verifier.update(ByteBuffer.wrap(CHECK, 0, 4));
    verifier.update(ByteBuffer.allocateDirect(5).put(CHECK, 4, 5).flip());

    assertThat(verifier.verify(Headers.EMPTY, new byte[0])).isEqualTo(Map.of(header, value));
  }

  @Test
  void shouldNotMoveTheBufferWhenFed() {
    ByteBuffer bytes = ByteBuffer.wrap(CHECK);
    ChecksumVerifier.forRequest(Headers.of("x-amz-checksum-crc32", "y/Q5Jg==")).update(bytes);

    assertThat(bytes.remaining()).isEqualTo(CHECK.length);
  }

  @Test
  void shouldReadTrailerWhenAnnounced() {
    ChecksumVerifier verifier =
        ChecksumVerifier.forRequest(Headers.of("x-amz-trailer", "x-amz-checksum-crc32"));
    verifier.update(ByteBuffer.wrap(CHECK));

    assertThat(verifier.verify(Headers.of("x-amz-checksum-crc32", "y/Q5Jg=="), new byte[0]))
        .containsEntry("x-amz-checksum-crc32", "y/Q5Jg==");
  }

  @Test
  void shouldRefuseWhenChecksumIsWrong() {
    ChecksumVerifier verifier =
        ChecksumVerifier.forRequest(Headers.of("x-amz-checksum-crc32", "AAAAAA=="));
    verifier.update(ByteBuffer.wrap(CHECK));

    assertThatThrownBy(() -> verifier.verify(Headers.EMPTY, new byte[0]))
        .isInstanceOfSatisfying(
            S3Exception.class, e -> assertThat(e.code()).isEqualTo(S3ErrorCode.BAD_DIGEST));
  }

  @ParameterizedTest
  @CsvSource({
    "x-amz-checksum-xxhash64, AAAAAAAAAAA=, InvalidRequest",
    "x-amz-checksum-crc32, AAAA, BadDigest",
    "x-amz-checksum-crc32, ???, BadDigest",
    "x-amz-sdk-checksum-algorithm, CRC32, InvalidRequest",
    "content-md5, AAAA, InvalidDigest",
    "content-md5, '', InvalidDigest",
  })
  void shouldRefuseWhenHeaderIsMalformed(String name, String value, String code) {
    assertThatThrownBy(() -> ChecksumVerifier.forRequest(Headers.of(name, value)))
        .isInstanceOfSatisfying(
            S3Exception.class, e -> assertThat(e.code().code()).isEqualTo(code));
  }

  @Test
  void shouldRefuseWhenTwoChecksumsAreGiven() {
    Headers headers =
        Headers.of("x-amz-checksum-crc32", "y/Q5Jg==", "x-amz-checksum-crc32c", "4waSgw==");

    assertThatThrownBy(() -> ChecksumVerifier.forRequest(headers)).isInstanceOf(S3Exception.class);
  }

  @Test
  void shouldIgnoreWhenHeaderIsNoChecksum() {
    Headers headers = Headers.of("x-amz-checksum-mode", "ENABLED");

    assertThat(ChecksumVerifier.forRequest(headers).verify(Headers.EMPTY, new byte[0])).isEmpty();
  }
}
