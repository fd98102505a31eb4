package io.s3rdma.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.ResponseBytes;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.ChecksumMode;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Objects through the unmodified SDK. */
class SdkObjectIT {
  private static final String BUCKET = "objects";

  @TempDir static Path directory;
  private static TestServer server;
  private static S3Client s3;

  @BeforeAll
  static void start() throws IOException {
    server = TestServer.start(directory);
    s3 = server.client();
    s3.createBucket(b -> b.bucket(BUCKET));
  }

  @AfterAll
  static void stop() throws IOException {
    s3.close();
    server.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 8192, 131_072, 131_073, 5_000_000})
  void shouldGiveBackWhenPut(int size) {
    byte[] content = random(size);
    String key = "size-" + size;

    PutObjectResponse put =
        s3.putObject(b -> b.bucket(BUCKET).key(key), RequestBody.fromBytes(content));

    ResponseBytes<GetObjectResponse> got =
        s3.getObjectAsBytes(b -> b.bucket(BUCKET).key(key).checksumMode(ChecksumMode.ENABLED));
    assertThat(got.asByteArray()).isEqualTo(content);
    assertThat(got.response().eTag()).isEqualTo(put.eTag());
    assertThat(got.response().checksumCRC32()).isNotNull().isEqualTo(put.checksumCRC32());
    assertThat(got.response().contentLength()).isEqualTo(size);
    assertThat(got.response().contentType()).isEqualTo("application/octet-stream");
  }

  @ParameterizedTest
  @EnumSource(
      value = ChecksumAlgorithm.class,
      names = {"CRC32", "SHA1", "SHA256"})
  void shouldVerifyWhenAlgorithmIsChosen(ChecksumAlgorithm algorithm) {
    String key = "sum-" + algorithm;
    s3.putObject(b -> b.bucket(BUCKET).key(key).checksumAlgorithm(algorithm), text("content"));

    HeadObjectResponse head =
        s3.headObject(b -> b.bucket(BUCKET).key(key).checksumMode(ChecksumMode.ENABLED));

    assertThat(head.checksumTypeAsString()).isEqualTo("FULL_OBJECT");
    assertThat(head.getValueForField("Checksum" + algorithm, String.class)).isPresent();
  }

  @Test
  void shouldRefuseWhenChecksumIsWrong() {
    assertThatThrownBy(
            () ->
                s3.putObject(
                    b -> b.bucket(BUCKET).key("wrong").checksumCRC32C("AAAAAA=="), text("content")))
        .satisfies(refusal(400, "BadDigest"));
    assertThatThrownBy(
            () ->
                s3.putObject(
                    b -> b.bucket(BUCKET).key("wrong").contentMD5("1B2M2Y8AsgTpgAmY7PhCfg=="),
                    text("content")))
        .satisfies(refusal(400, "BadDigest"));

    assertThatThrownBy(() -> s3.headObject(b -> b.bucket(BUCKET).key("wrong")))
        .isInstanceOf(NoSuchKeyException.class);
  }

  @Test
  void shouldGiveHeadersBackWhenPutHadThem() {
    s3.putObject(
        b ->
            b.bucket(BUCKET)
                .key("headers")
                .contentType("text/plain; charset=utf-8")
                .contentEncoding("gzip")
                .cacheControl("no-cache")
                .contentDisposition("attachment")
                .contentLanguage("de")
                .metadata(Map.of("name", "value", "empty", "")),
        text("content"));

    HeadObjectResponse head = s3.headObject(b -> b.bucket(BUCKET).key("headers"));

    assertThat(head.contentType()).isEqualTo("text/plain; charset=utf-8");
    assertThat(head.contentEncoding()).isEqualTo("gzip");
    assertThat(head.cacheControl()).isEqualTo("no-cache");
    assertThat(head.contentDisposition()).isEqualTo("attachment");
    assertThat(head.contentLanguage()).isEqualTo("de");
    assertThat(head.metadata()).containsEntry("name", "value");
    assertThat(head.contentLength()).isEqualTo(7);
    assertThat(head.checksumCRC32()).isNull();
  }

  @Test
  void shouldOverrideHeadersWhenQueryAsks() {
    s3.putObject(b -> b.bucket(BUCKET).key("override"), text("content"));

    GetObjectResponse got =
        get(b ->
                b.key("override")
                    .responseContentType("text/html")
                    .responseContentDisposition("attachment; filename=a b.txt"))
            .response();

    assertThat(got.contentType()).isEqualTo("text/html");
    assertThat(got.contentDisposition()).isEqualTo("attachment; filename=a b.txt");
  }

  @Test
  void shouldGivePartWhenRangeIsAsked() {
    s3.putObject(b -> b.bucket(BUCKET).key("range"), text("0123456789"));

    ResponseBytes<GetObjectResponse> middle =
        get(b -> b.key("range").range("bytes=2-4").checksumMode(ChecksumMode.ENABLED));

    assertThat(middle.asUtf8String()).isEqualTo("234");
    assertThat(middle.response().sdkHttpResponse().statusCode()).isEqualTo(206);
    assertThat(middle.response().contentRange()).isEqualTo("bytes 2-4/10");
    assertThat(middle.response().checksumCRC32()).isNull();
    assertThat(get(b -> b.key("range").range("bytes=-3")).asUtf8String()).isEqualTo("789");
    assertThatThrownBy(() -> get(b -> b.key("range").range("bytes=10-")))
        .satisfies(refusal(416, "InvalidRange"));
  }

  @Test
  void shouldAnswerByConditionsWhenReading() {
    String etag = s3.putObject(b -> b.bucket(BUCKET).key("if"), text("content")).eTag();
    Instant later = Instant.now().plusSeconds(60);

    assertThat(get(b -> b.key("if").ifMatch(etag)).asUtf8String()).isEqualTo("content");
    assertThatThrownBy(() -> get(b -> b.key("if").ifMatch("\"other\"")))
        .satisfies(refusal(412, "PreconditionFailed"));
    assertThatThrownBy(() -> get(b -> b.key("if").ifNoneMatch(etag)))
        .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(304));
    assertThatThrownBy(() -> get(b -> b.key("if").ifModifiedSince(later)))
        .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(304));
    assertThatThrownBy(() -> get(b -> b.key("if").ifUnmodifiedSince(Instant.EPOCH)))
        .satisfies(refusal(412, "PreconditionFailed"));
    assertThat(get(b -> b.key("if").ifMatch(etag).ifUnmodifiedSince(Instant.EPOCH)).asUtf8String())
        .isEqualTo("content");
  }

  @Test
  void shouldDecideWhenPutIsConditional() {
    String etag =
        s3.putObject(b -> b.bucket(BUCKET).key("once").ifNoneMatch("*"), text("first")).eTag();

    assertThatThrownBy(
            () -> s3.putObject(b -> b.bucket(BUCKET).key("once").ifNoneMatch("*"), text("second")))
        .satisfies(refusal(412, "PreconditionFailed"));
    assertThatThrownBy(
            () -> s3.putObject(b -> b.bucket(BUCKET).key("absent").ifMatch(etag), text("x")))
        .satisfies(refusal(404, "NoSuchKey"));
    s3.putObject(b -> b.bucket(BUCKET).key("once").ifMatch(etag), text("third"));

    assertThat(get(b -> b.key("once")).asUtf8String()).isEqualTo("third");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a b", "a+b", "a%2Bb", "é/漢", "~!*'()", "a//b", "/lead", "trail/", "..", "a?b#c"})
  void shouldTakeKeyWhenItIsUnusual(String key) {
    s3.putObject(b -> b.bucket(BUCKET).key(key), text(key));

    assertThat(get(b -> b.key(key)).asUtf8String()).isEqualTo(key);
    s3.deleteObject(b -> b.bucket(BUCKET).key(key));
    assertThatThrownBy(() -> get(b -> b.key(key))).isInstanceOf(NoSuchKeyException.class);
  }

  @Test
  void shouldRefuseWhenAnOptionWouldBeIgnored() {
    assertThatThrownBy(
            () ->
                s3.putObject(
                    b -> b.bucket(BUCKET).key("sse").serverSideEncryption("aws:kms"), text("x")))
        .satisfies(refusal(501, "NotImplemented"));
    assertThatThrownBy(
            () ->
                s3.createMultipartUpload(
                    b -> b.bucket(BUCKET).key("sse").serverSideEncryption("aws:kms")))
        .satisfies(refusal(501, "NotImplemented"));
  }

  @Test
  void shouldRefuseWhenSecretOrKeyIsWrong() {
    try (S3Client wrong = server.client(TestServer.ACCESS_KEY, "wrong");
        S3Client unknown = server.client("AKIDNOBODY", "x")) {
      assertThatThrownBy(() -> wrong.putObject(b -> b.bucket(BUCKET).key("k"), text("x")))
          .satisfies(refusal(403, "SignatureDoesNotMatch"));
      assertThatThrownBy(unknown::listBuckets).satisfies(refusal(403, "InvalidAccessKeyId"));
    }
  }

  private static ResponseBytes<GetObjectResponse> get(Consumer<GetObjectRequest.Builder> request) {
    return s3.getObjectAsBytes(
        b -> {
          b.bucket(BUCKET);
          request.accept(b);
        });
  }

  private static Consumer<Throwable> refusal(int status, String code) {
    return e ->
        assertThat(e)
            .isInstanceOfSatisfying(
                S3Exception.class,
                s3 -> {
                  assertThat(s3.statusCode()).isEqualTo(status);
                  assertThat(s3.awsErrorDetails().errorCode()).isEqualTo(code);
                  assertThat(s3.requestId()).isNotBlank();
                });
  }

  private static RequestBody text(String content) {
    return RequestBody.fromBytes(content.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] random(int size) {
    byte[] content = new byte[size];
    new Random(size).nextBytes(content);
    return content;
  }
}
