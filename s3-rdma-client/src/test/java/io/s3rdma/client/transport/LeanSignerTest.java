package io.s3rdma.client.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.http.SdkHttpFullRequest;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;

/** Signs exactly as the SDK's signer does. */
final class LeanSignerTest {
  private static final String UNSIGNED = "UNSIGNED-PAYLOAD";

  private final AwsV4HttpSigner sdk = AwsV4HttpSigner.create();
  private final LeanSigner own = new LeanSigner("us-east-1");

  @ParameterizedTest
  @ValueSource(strings = {"/b/k", "/b/a%20b%2Bc%25", "/b//x/../y", "/b/%C3%BC~-_."})
  void shouldSignAsTheSdkDoes(String path) {
    // One signer for all: what it keeps must not outlive its day, key or second.
    for (String time :
        List.of("2026-01-02T03:04:05Z", "2026-01-02T03:04:06.9Z", "2026-12-31T23:59:59Z")) {
      for (AwsCredentials credentials :
          List.of(
              AwsBasicCredentials.create("AKID", "secret"),
              AwsBasicCredentials.create("AKID", "other"),
              AwsSessionCredentials.create("AKID", "secret", "session/token=="))) {
        Instant now = Instant.parse(time);
        Map<String, String> headers =
            Map.of("host", "10.9.0.1:9000", "x-amz-rdma-token", "rc:0:1", "range", "bytes=0-9");
        TreeMap<String, String> signed = new TreeMap<>(headers);
        own.sign("GET", path, signed, UNSIGNED, credentials, now);

        SdkHttpRequest expected = bySdk(path, headers, credentials, now);
        assertThat(signed.get("authorization"))
            .isEqualTo(expected.firstMatchingHeader("Authorization").orElseThrow());
        assertThat(signed.get("x-amz-date"))
            .isEqualTo(expected.firstMatchingHeader("X-Amz-Date").orElseThrow());
      }
    }
  }

  private SdkHttpRequest bySdk(
      String path, Map<String, String> headers, AwsCredentials credentials, Instant now) {
    SdkHttpFullRequest.Builder request =
        SdkHttpFullRequest.builder()
            .method(SdkHttpMethod.GET)
            // Over http the SDK signs the empty body whatever it is told.
            .protocol("https")
            .host("10.9.0.1")
            .port(9000)
            .encodedPath(path);
    headers.forEach(request::putHeader);
    return sdk.sign(
            r ->
                r.identity(credentials)
                    .request(request.build())
                    .putProperty(AwsV4FamilyHttpSigner.SERVICE_SIGNING_NAME, "s3")
                    .putProperty(AwsV4HttpSigner.REGION_NAME, "us-east-1")
                    .putProperty(AwsV4FamilyHttpSigner.DOUBLE_URL_ENCODE, false)
                    .putProperty(AwsV4FamilyHttpSigner.NORMALIZE_PATH, false)
                    .putProperty(AwsV4FamilyHttpSigner.PAYLOAD_SIGNING_ENABLED, false)
                    .putProperty(HttpSigner.SIGNING_CLOCK, Clock.fixed(now, ZoneOffset.UTC)))
        .request();
  }
}
