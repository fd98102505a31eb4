package io.s3rdma.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestHeadTest {
  @ParameterizedTest
  @CsvSource({
    "/, '', ''",
    "/bucket, bucket, ''",
    "/bucket/, bucket, ''",
    "/bucket/a%20b%2Bc%25, bucket, a b+c%",
    "/bucket/a+b, bucket, a+b",
    "/bucket//a//b, bucket, /a//b",
    "/bucket/../x, bucket, ../x",
    "/bucket/%C3%BC, bucket, ü",
    "http://host:1/bucket/k, bucket, k",
    "http://host:1/bucket?prefix=a/b, bucket, ''",
    "http://host:1?prefix=a/b, '', ''",
    "http://host:1, '', ''",
  })
  void shouldSplitWhenTargetIsAPath(String target, String bucket, String key) {
    RequestHead head = head(target, Headers.EMPTY);

    assertThat(head.bucket()).isEqualTo(bucket);
    assertThat(head.key()).isEqualTo(key);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/b/%", "/b/%2", "/b/%zz", "/b/%C3", "/b/%ff"})
  void shouldRefuseWhenEscapeIsBad(String target) {
    assertThatThrownBy(() -> head(target, Headers.EMPTY).key()).isInstanceOf(S3Exception.class);
  }

  @Test
  void shouldTellTheAddressByTheWayThatTheRequestCame() {
    RequestHead plain = head("/b/k", Headers.of("host", "files.example:9000"));
    InetAddress local = InetAddress.getLoopbackAddress();

    assertThat(plain.addressOf("/b/%C3%BC")).isEqualTo("http://files.example:9000/b/%C3%BC");
    assertThat(plain.at(local, true).addressOf("/b/k")).isEqualTo("https://files.example:9000/b/k");
  }

  @Test
  void shouldKeepQueryWhenAbsoluteTargetHasNoPath() {
    assertThat(head("http://host:1?prefix=a/b", Headers.EMPTY).rawQuery()).isEqualTo("prefix=a/b");
    assertThat(head("http://host:1/b?x=/", Headers.EMPTY).rawQuery()).isEqualTo("x=/");
  }

  @Test
  void shouldRefuseWhenTargetIsNoPath() {
    assertThatThrownBy(() -> head("*", Headers.EMPTY)).isInstanceOf(S3Exception.class);
  }

  @Test
  void shouldTakeKeyWhenItHas1024Bytes() {
    assertThat(head("/b/" + "k".repeat(1024), Headers.EMPTY).key()).hasSize(1024);
    assertThat(head("/b/" + "%E6%BC%A2".repeat(341), Headers.EMPTY).key()).hasSize(341);
    assertThatThrownBy(() -> head("/b/" + "k".repeat(1025), Headers.EMPTY).key())
        .isInstanceOfSatisfying(
            S3Exception.class, e -> assertThat(e.code()).isEqualTo(S3ErrorCode.KEY_TOO_LONG));
  }

  @ParameterizedTest
  @ValueSource(strings = {"x-amz-rdma-token", "content-length", "host"})
  void shouldRefuseWhenHeaderComesTwice(String name) { // P-1.13
    Headers twice = Headers.of(name, "1", name, "1");

    assertThatThrownBy(() -> head("/", twice))
        .isInstanceOfSatisfying(
            S3Exception.class, e -> assertThat(e.code().status()).isEqualTo(400));
  }

  @Test
  void shouldTellPayloadLengthWhenBodyIsFramed() {
    Headers headers =
        Headers.of(
            "content-length", "100",
            "x-amz-decoded-content-length", "7",
            "x-amz-content-sha256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER");

    assertThat(head("/b/k", headers).contentLength()).isEqualTo(100);
    assertThat(head("/b/k", headers).payloadLength()).isEqualTo(7);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "", "+1", "1 2", "0x10", "9999999999999999999"})
  void shouldRefuseWhenLengthIsNoNumber(String value) {
    assertThatThrownBy(() -> head("/", Headers.of("content-length", value)).contentLength())
        .isInstanceOf(S3Exception.class);
  }

  @ParameterizedTest
  @CsvSource({
    "b.s3.example.org, /k, b, k",
    "b.s3.example.org:9000, /k, b, k",
    "B.S3.Example.org:9000, /K, b, K",
    "my.b.localhost:1, //a//b, my.b, /a//b",
    "b.localhost, /a%2Fb+c, b, a/b+c",
    "b.localhost, /, b, ''",
    "b.localhost, /-/health, b, -/health",
    "localhost:1, /b/k, b, k",
    "s3.example.org, /b/k, b, k",
    "s3.example.org.evil.net, /b/k, b, k",
    "xlocalhost, /b/k, b, k",
    ".localhost, /b/k, b, k",
    "127.0.0.1:9000, /b/k, b, k",
    "[::1]:9000, /b/k, b, k",
    "'', /b/k, b, k",
  })
  void shouldTakeBucketFromHostWhenItIsBelowASuffix(
      String host, String target, String bucket, String key) {
    VirtualHosts hosts = new VirtualHosts(List.of("example.org", "s3.example.org", "localhost"));
    RequestHead head = RequestHead.of("GET", target, Headers.of("host", host), null, "id", hosts);

    assertThat(head.bucket()).isEqualTo(bucket);
    assertThat(head.key()).isEqualTo(key);
  }

  private static RequestHead head(String target, Headers headers) {
    return RequestHead.of("GET", target, headers, null, "id");
  }
}
