package io.s3rdma.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** A bucket's space limit through the unmodified SDK: what is refused, and what stays as it was. */
class BucketLimitIT {
  private static final int LIMIT = 100_000;
  @TempDir static Path directory;
  private static TestServer server;
  private static S3Client s3;

  @BeforeAll
  static void start() throws IOException {
    server =
        TestServer.start(
            directory,
            Map.of(
                "store.bucket-bytes-max",
                LIMIT,
                "store.bucket-bytes-max-of",
                Map.of("roomy", 3 * LIMIT)));
    s3 = server.client();
  }

  @AfterAll
  static void stop() throws IOException {
    s3.close();
    server.close();
  }

  @Test
  void shouldKeepTheOldObjectWhenItsSuccessorDoesNotFit() {
    s3.createBucket(b -> b.bucket("full"));
    put("full", "k", LIMIT);

    assertFull(() -> put("full", "other", 1));
    assertFull(() -> put("full", "k", LIMIT + 1));
    assertThat(s3.headObject(b -> b.bucket("full").key("k")).contentLength()).isEqualTo(LIMIT);
    assertThat(s3.listObjectsV2(b -> b.bucket("full")).contents()).hasSize(1);

    put("full", "k", LIMIT - 1); // takes the old one's place
    put("full", "other", 1);
    s3.deleteObject(b -> b.bucket("full").key("k"));
    put("full", "third", LIMIT - 1);
  }

  @Test
  void shouldRefuseCopiesAndPartsWhenTheyDoNotFit() {
    s3.createBucket(b -> b.bucket("copies"));
    put("copies", "k", LIMIT / 2 + 1);
    assertFull(
        () ->
            s3.copyObject(
                b ->
                    b.sourceBucket("copies")
                        .sourceKey("k")
                        .destinationBucket("copies")
                        .destinationKey("again")));

    String id = s3.createMultipartUpload(b -> b.bucket("copies").key("m")).uploadId();
    assertFull(
        () ->
            s3.uploadPart(
                b -> b.bucket("copies").key("m").uploadId(id).partNumber(1),
                RequestBody.fromBytes(new byte[LIMIT / 2])));
    s3.abortMultipartUpload(b -> b.bucket("copies").key("m").uploadId(id));
    put("copies", "rest", LIMIT - LIMIT / 2 - 1);
  }

  @Test
  void shouldLetAPartTakeThePlaceOfItsPredecessor() {
    s3.createBucket(b -> b.bucket("parts"));
    String id = s3.createMultipartUpload(b -> b.bucket("parts").key("m")).uploadId();
    part(id, LIMIT);
    part(id, LIMIT - 1);
    assertFull(() -> part(id, LIMIT + 1));
  }

  @Test
  void shouldCountBothVersionsWhenThePredecessorStays() {
    s3.createBucket(b -> b.bucket("versions"));
    s3.putBucketVersioning(
        b -> b.bucket("versions").versioningConfiguration(v -> v.status("Enabled")));
    put("versions", "k", LIMIT / 2 + 1);
    assertFull(() -> put("versions", "k", LIMIT / 2));

    s3.putBucketVersioning(
        b -> b.bucket("versions").versioningConfiguration(v -> v.status("Suspended")));
    put("versions", "k", LIMIT / 2 - 1);
    put("versions", "k", LIMIT / 2 - 1); // the null version's place
    assertFull(() -> put("versions", "k", LIMIT / 2));
  }

  @Test
  void shouldHoldABucketToItsOwnLimitWhenItHasOne() {
    s3.createBucket(b -> b.bucket("roomy"));
    put("roomy", "k", 3 * LIMIT);
    assertFull(() -> put("roomy", "other", 1));
  }

  private static void part(String uploadId, int bytes) {
    s3.uploadPart(
        b -> b.bucket("parts").key("m").uploadId(uploadId).partNumber(1),
        RequestBody.fromBytes(new byte[bytes]));
  }

  private static void assertFull(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            S3Exception.class,
            e -> {
              assertThat(e.awsErrorDetails().errorCode()).isEqualTo("QuotaExceeded");
              assertThat(e.statusCode()).isEqualTo(403);
            });
  }

  private static void put(String bucket, String key, int bytes) {
    s3.putObject(b -> b.bucket(bucket).key(key), RequestBody.fromBytes(new byte[bytes]));
  }
}
