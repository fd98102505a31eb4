package io.s3rdma.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.ChecksumMode;
import software.amazon.awssdk.services.s3.model.CopyObjectRequest;
import software.amazon.awssdk.services.s3.model.CopyObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.MetadataDirective;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.TaggingDirective;

/** CopyObject through the unmodified SDK. */
class SdkCopyIT {
  private static final String BUCKET = "copies";
  private static final String CONTENT = "content of the source";

  @TempDir static Path directory;
  private static TestServer server;
  private static S3Client s3;

  @BeforeAll
  static void start() throws IOException {
    server = TestServer.start(directory);
    s3 = server.client();
    s3.createBucket(b -> b.bucket(BUCKET));
    s3.createBucket(b -> b.bucket(BUCKET + "-other"));
    s3.putObject(
        b ->
            b.bucket(BUCKET)
                .key("source")
                .contentType("text/plain")
                .cacheControl("no-cache")
                .tagging("a=1&b=2")
                .metadata(Map.of("name", "value")),
        RequestBody.fromString(CONTENT));
  }

  @AfterAll
  static void stop() throws IOException {
    s3.close();
    server.close();
  }

  @Test
  void shouldKeepAllWhenCopiedToAnotherBucket() {
    HeadObjectResponse source = head("source");

    CopyObjectResponse copy = copy("k", b -> b.destinationBucket(BUCKET + "-other"));

    HeadObjectResponse head =
        s3.headObject(b -> b.bucket(BUCKET + "-other").key("k").checksumMode(ChecksumMode.ENABLED));
    assertThat(copy.copyObjectResult().eTag()).isEqualTo(source.eTag()).isEqualTo(head.eTag());
    assertThat(copy.copyObjectResult().checksumCRC32())
        .isNotNull()
        .isEqualTo(source.checksumCRC32());
    assertThat(head.metadata()).isEqualTo(Map.of("name", "value"));
    assertThat(head.contentType()).isEqualTo("text/plain");
    assertThat(head.cacheControl()).isEqualTo("no-cache");
    assertThat(head.tagCount()).isEqualTo(2);
    assertThat(s3.getObjectAsBytes(b -> b.bucket(BUCKET + "-other").key("k")).asUtf8String())
        .isEqualTo(CONTENT);
  }

  @Test
  void shouldReplaceWhenDirectivesSaySo() {
    copy(
        "replaced",
        b ->
            b.metadataDirective(MetadataDirective.REPLACE)
                .metadata(Map.of("other", "x"))
                .contentType("text/html")
                .taggingDirective(TaggingDirective.REPLACE)
                .tagging("c=3"));

    HeadObjectResponse head = head("replaced");
    assertThat(head.metadata()).isEqualTo(Map.of("other", "x"));
    assertThat(head.contentType()).isEqualTo("text/html");
    assertThat(head.cacheControl()).isNull();
    assertThat(head.tagCount()).isEqualTo(1);
  }

  @Test
  void shouldIgnoreNewMetadataWhenDirectiveIsCopy() {
    copy("ignored", b -> b.metadata(Map.of("other", "x")).contentType("text/html"));

    assertThat(head("ignored").metadata()).isEqualTo(Map.of("name", "value"));
    assertThat(head("ignored").contentType()).isEqualTo("text/plain");
  }

  @Test
  void shouldReplaceInPlaceWhenCopiedOntoItself() {
    copy("itself", b -> {});
    Consumer<CopyObjectRequest.Builder> onItself = b -> b.sourceKey("itself");

    assertThatThrownBy(() -> copy("itself", onItself)).satisfies(refusal(400, "InvalidRequest"));
    copy(
        "itself",
        onItself.andThen(
            b -> b.metadataDirective(MetadataDirective.REPLACE).metadata(Map.of("new", "1"))));

    assertThat(head("itself").metadata()).isEqualTo(Map.of("new", "1"));
    assertThat(s3.getObjectAsBytes(b -> b.bucket(BUCKET).key("itself")).asUtf8String())
        .isEqualTo(CONTENT);
  }

  @Test
  void shouldComputeChecksumWhenSourceHasAnother() {
    CopyObjectResponse copy = copy("sums", b -> b.checksumAlgorithm(ChecksumAlgorithm.SHA256));

    assertThat(head("source").checksumSHA256()).isNull();
    assertThat(head("sums").checksumSHA256())
        .isEqualTo(copy.copyObjectResult().checksumSHA256())
        .isEqualTo("wMGfRDVBJmi2XEJYIloADmzX3I6hZK61mMEwRg1OueU=");
    assertThat(head("sums").checksumTypeAsString()).isEqualTo("FULL_OBJECT");
    assertThat(head("sums").checksumCRC32()).isNull();
  }

  @Test
  void shouldDecideWhenTargetHasConditions() {
    copy("once", b -> b.ifNoneMatch("*"));

    assertThatThrownBy(() -> copy("once", b -> b.ifNoneMatch("*")))
        .satisfies(refusal(412, "PreconditionFailed"));
  }

  @Test
  void shouldOutliveSourceWhenItIsDeleted() {
    byte[] large = "0123456789abcdef".repeat(100_000).getBytes(StandardCharsets.US_ASCII);
    s3.putObject(b -> b.bucket(BUCKET).key("gone"), RequestBody.fromBytes(large));
    copy("kept", b -> b.sourceKey("gone"));

    s3.deleteObject(b -> b.bucket(BUCKET).key("gone"));

    assertThat(s3.getObjectAsBytes(b -> b.bucket(BUCKET).key("kept")).asByteArray())
        .isEqualTo(large);
  }

  private static CopyObjectResponse copy(String key, Consumer<CopyObjectRequest.Builder> more) {
    return s3.copyObject(
        b -> {
          b.sourceBucket(BUCKET).sourceKey("source").destinationBucket(BUCKET).destinationKey(key);
          more.accept(b);
        });
  }

  private static HeadObjectResponse head(String key) {
    return s3.headObject(b -> b.bucket(BUCKET).key(key).checksumMode(ChecksumMode.ENABLED));
  }

  private static Consumer<Throwable> refusal(int status, String code) {
    return e ->
        assertThat(e)
            .isInstanceOfSatisfying(
                S3Exception.class,
                s3e -> {
                  assertThat(s3e.statusCode()).isEqualTo(status);
                  assertThat(s3e.awsErrorDetails().errorCode()).isEqualTo(code);
                });
  }
}
