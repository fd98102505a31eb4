package io.s3rdma.server.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.store.ObjectRef;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CopySourceTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "b/k|k|",
        "/b/k|k|",
        "b%2Fk|k|",
        "%2Fb%2Fk|k|",
        "b//k|/k|",
        "/b/a%20b+c%2525/d|a b+c%25/d|",
        "b/a b|a b|",
        "b/%C3%BC|ü|",
        "b/ü|ü|",
        "b/%3FversionId|?versionId|",
        "b/%3FversionId%3D1|?versionId=1|",
        "b/k?versionId=abc|k|abc",
        "b/k?x?versionId=null|k?x|null",
        "b/trail/|trail/|",
      })
  void shouldFindSourceWhenEncoded(String header, String key, String version) {
    assertThat(parse(header)).isEqualTo(new ObjectRef("b", key, version == null ? "" : version));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "/", "b", "b/", "/b", "//k", "b/%", "b/%zz", "b/%ff", "b/k?versionId="})
  void shouldRefuseWhenThereIsNoObject(String header) {
    assertThatThrownBy(() -> parse(header))
        .isInstanceOfSatisfying(
            S3Exception.class, e -> assertThat(e.code()).isEqualTo(S3ErrorCode.INVALID_ARGUMENT));
  }

  /** A header has one character an octet. */
  private static ObjectRef parse(String header) {
    String octets =
        new String(header.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    return CopySource.of(
        FlowLab.request(
            InetAddress.getLoopbackAddress(),
            "PUT",
            "/bucket/key",
            "KEY",
            "x-amz-copy-source",
            octets));
  }
}
