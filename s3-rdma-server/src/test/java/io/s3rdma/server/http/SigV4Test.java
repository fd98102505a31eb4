package io.s3rdma.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Golden values are the examples of Amazon's documentation of Signature Version 4 for S3. */
class SigV4Test {
  private static final String KEY = "AKIAIOSFODNN7EXAMPLE";
  private static final String SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
  private static final String HOST = "examplebucket.s3.amazonaws.com";
  private static final String STAMP = "20130524T000000Z";
  private static final Instant NOW = Instant.parse("2013-05-24T00:00:00Z");
  private static final String GET_SIGNATURE =
      "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41";

  @Test
  void shouldAcceptWhenGetIsSignedAsInTheDocumentation() {
    SigV4.Verified verified = at(NOW).verify(get(GET_SIGNATURE));

    assertThat(verified.identity().accessKey()).isEqualTo(KEY);
    assertThat(verified.identity().signedHeaders())
        .containsExactlyInAnyOrder("host", "range", "x-amz-content-sha256", "x-amz-date");
    assertThat(verified.payloadHash()).isEqualTo(Crypto.EMPTY_SHA256);
  }

  @Test
  void shouldAcceptWhenPutIsSignedAsInTheDocumentation() {
    String payload = "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072";
    Headers headers =
        Headers.of(
            "Date",
            "Fri, 24 May 2013 00:00:00 GMT",
            "Host",
            HOST,
            "x-amz-date",
            STAMP,
            "x-amz-storage-class",
            "REDUCED_REDUNDANCY",
            "x-amz-content-sha256",
            payload,
            "Authorization",
            authorization(
                "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
                "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"));

    SigV4.Verified verified = at(NOW).verify(head("PUT", "/test%24file.text", headers));

    assertThat(verified.payloadHash()).isEqualTo(payload);
  }

  @Test
  void shouldAcceptWhenListIsSignedAsInTheDocumentation() {
    Headers headers =
        Headers.of(
            "Host",
            HOST,
            "x-amz-date",
            STAMP,
            "x-amz-content-sha256",
            Crypto.EMPTY_SHA256,
            "Authorization",
            authorization(
                "host;x-amz-content-sha256;x-amz-date",
                "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"));

    assertThat(at(NOW).verify(head("GET", "/?max-keys=2&prefix=J", headers))).isNotNull();
  }

  @Test
  void shouldAcceptWhenPresignedAsInTheDocumentation() {
    SigV4.Verified verified = at(NOW.plusSeconds(3600)).verify(presigned());

    assertThat(verified.identity().accessKey()).isEqualTo(KEY);
    assertThat(verified.payloadHash()).isEqualTo("UNSIGNED-PAYLOAD");
  }

  @Test
  void shouldRefuseWhenPresignedHasExpired() {
    refused(at(NOW.plusSeconds(86_401)), presigned(), S3ErrorCode.ACCESS_DENIED);
  }

  @Test
  void shouldRefuseWhenSignatureIsWrong() {
    String wrong = GET_SIGNATURE.replace('f', 'e');

    refused(at(NOW), get(wrong), S3ErrorCode.SIGNATURE_DOES_NOT_MATCH);
  }

  @Test
  void shouldRefuseWhenTimeIsSixteenMinutesOff() {
    refused(at(NOW.plusSeconds(960)), get(GET_SIGNATURE), S3ErrorCode.REQUEST_TIME_TOO_SKEWED);
    refused(at(NOW.minusSeconds(960)), get(GET_SIGNATURE), S3ErrorCode.REQUEST_TIME_TOO_SKEWED);
  }

  @Test
  void shouldRefuseWhenKeyIsUnknown() {
    SigV4 fixed =
        new SigV4(
            new Credentials(Map.of("other", "x")), "us-east-1", Clock.fixed(NOW, ZoneOffset.UTC));

    refused(fixed, get(GET_SIGNATURE), S3ErrorCode.INVALID_ACCESS_KEY_ID);
  }

  @Test
  void shouldRefuseWhenRegionIsWrong() {
    SigV4 elsewhere =
        new SigV4(
            new Credentials(Map.of(KEY, SECRET)), "eu-west-1", Clock.fixed(NOW, ZoneOffset.UTC));

    refused(elsewhere, get(GET_SIGNATURE), S3ErrorCode.AUTHORIZATION_HEADER_MALFORMED);
  }

  @Test
  void shouldRefuseWhenAmzHeaderIsNotSigned() {
    RequestHead signed = get(GET_SIGNATURE);
    Headers more = signed.headers().with("x-amz-rdma-token", "rc:00"); // P-1.1
    RequestHead head = head("GET", "/test.txt", more);

    refused(at(NOW), head, S3ErrorCode.ACCESS_DENIED);
  }

  @Test
  void shouldRefuseWhenNotSigned() {
    refused(at(NOW), head("GET", "/", Headers.of("Host", HOST)), S3ErrorCode.ACCESS_DENIED);
  }

  @Test
  void shouldRefuseWhenSchemeIsUnknown() {
    Headers headers = Headers.of("Host", HOST, "Authorization", "AWS AKID:sig");

    refused(at(NOW), head("GET", "/", headers), S3ErrorCode.INVALID_REQUEST);
  }

  @Test
  void shouldVerifyChunksWhenSignedAsInTheDocumentation() {
    String seed = "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9";
    byte[] key = Crypto.signingKey(SECRET, "20130524", "us-east-1", "s3");
    ChunkSigner signer = new ChunkSigner(key, STAMP, "20130524/us-east-1/s3/aws4_request", seed);

    signer.verifyChunk(
        sha256OfA(65536), "ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648");
    signer.verifyChunk(
        sha256OfA(1024), "0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497");
    signer.verifyChunk(
        sha256OfA(0), "b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9");
  }

  @Test
  void shouldShowNoSecretWhenPrinted() {
    assertThat(new Credentials(Map.of(KEY, SECRET)).toString())
        .contains(KEY)
        .doesNotContain(SECRET);
  }

  private static String sha256OfA(int count) {
    return Crypto.hex(
        Crypto.digest("SHA-256").digest("a".repeat(count).getBytes(StandardCharsets.US_ASCII)));
  }

  private static void refused(SigV4 sigV4, RequestHead head, S3ErrorCode code) {
    assertThatThrownBy(() -> sigV4.verify(head))
        .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  private static SigV4 at(Instant now) {
    return new SigV4(
        new Credentials(Map.of(KEY, SECRET)), "us-east-1", Clock.fixed(now, ZoneOffset.UTC));
  }

  private static RequestHead get(String signature) {
    Headers headers =
        Headers.of(
            "Host",
            HOST,
            "Range",
            "bytes=0-9",
            "x-amz-content-sha256",
            Crypto.EMPTY_SHA256,
            "x-amz-date",
            STAMP,
            "Authorization",
            authorization("host;range;x-amz-content-sha256;x-amz-date", signature));
    return head("GET", "/test.txt", headers);
  }

  private static RequestHead presigned() {
    String target =
        "/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256"
            + "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
            + "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
            + "&X-Amz-Signature="
            + "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404";
    return head("GET", target, Headers.of("Host", HOST));
  }

  private static String authorization(String signedHeaders, String signature) {
    return "AWS4-HMAC-SHA256 Credential="
        + KEY
        + "/20130524/us-east-1/s3/aws4_request,SignedHeaders="
        + signedHeaders
        + ",Signature="
        + signature;
  }

  private static RequestHead head(String method, String target, Headers headers) {
    return RequestHead.of(method, target, headers, null, "id");
  }
}
