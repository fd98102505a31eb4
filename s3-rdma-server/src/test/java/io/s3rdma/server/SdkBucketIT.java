package io.s3rdma.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.Bucket;
import software.amazon.awssdk.services.s3.model.CommonPrefix;
import software.amazon.awssdk.services.s3.model.Delete;
import software.amazon.awssdk.services.s3.model.DeleteObjectsResponse;
import software.amazon.awssdk.services.s3.model.DeletedObject;
import software.amazon.awssdk.services.s3.model.EncodingType;
import software.amazon.awssdk.services.s3.model.ListObjectsResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.NoSuchBucketException;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/** Buckets and listings through the unmodified SDK. */
class SdkBucketIT {
  @TempDir static Path directory;
  private static TestServer server;
  private static S3Client s3;

  @BeforeAll
  static void start() throws IOException {
    server = TestServer.start(directory);
    s3 = server.client();
  }

  @AfterAll
  static void stop() throws IOException {
    s3.close();
    server.close();
  }

  @Test
  void shouldLiveAndDieWhenBucketIsEmpty() {
    s3.createBucket(b -> b.bucket("life"));
    s3.createBucket(b -> b.bucket("life"));

    assertThat(s3.headBucket(b -> b.bucket("life")).bucketRegion()).isEqualTo("us-east-1");
    assertThat(s3.getBucketLocation(b -> b.bucket("life")).locationConstraintAsString())
        .isNullOrEmpty();
    assertThat(s3.listBuckets().buckets()).extracting(Bucket::name).contains("life");
    put("life", "k");
    assertThatThrownBy(() -> s3.deleteBucket(b -> b.bucket("life")))
        .isInstanceOfSatisfying(
            S3Exception.class,
            e -> assertThat(e.awsErrorDetails().errorCode()).isEqualTo("BucketNotEmpty"));
    s3.deleteObject(b -> b.bucket("life").key("k"));
    s3.deleteObject(b -> b.bucket("life").key("k"));
    s3.deleteBucket(b -> b.bucket("life"));
    assertThatThrownBy(() -> s3.headBucket(b -> b.bucket("life")))
        .isInstanceOf(NoSuchBucketException.class);
    assertThatThrownBy(() -> put("life", "k")).isInstanceOf(NoSuchBucketException.class);
  }

  @Test
  void shouldPageWhenListingIsLong() {
    s3.createBucket(b -> b.bucket("pages"));
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      keys.add("key-%02d".formatted(i));
      put("pages", keys.get(i));
    }

    List<String> second =
        s3.listObjectsV2Paginator(b -> b.bucket("pages").maxKeys(10)).contents().stream()
            .map(S3Object::key)
            .toList();
    List<String> after =
        s3.listObjectsV2(b -> b.bucket("pages").startAfter("key-20")).contents().stream()
            .map(S3Object::key)
            .toList();

    assertThat(second).isEqualTo(keys);
    assertThat(after).isEqualTo(keys.subList(21, 25));
    assertThat(version1("pages", 10)).isEqualTo(keys);
  }

  @Test
  void shouldRollUpWhenDelimiterIsGiven() {
    s3.createBucket(b -> b.bucket("roll"));
    for (String key : List.of("a", "a/", "a/b", "a//b", "c/d/e", "c/f", "ü/+ &%")) {
      put("roll", key);
    }

    ListObjectsV2Response top =
        s3.listObjectsV2(b -> b.bucket("roll").delimiter("/").fetchOwner(true));
    ListObjectsV2Response inside =
        s3.listObjectsV2(b -> b.bucket("roll").prefix("c/").delimiter("/"));
    ListObjectsV2Response encoded =
        s3.listObjectsV2(b -> b.bucket("roll").prefix("ü").encodingType(EncodingType.URL));
    ListObjectsV2Response none = s3.listObjectsV2(b -> b.bucket("roll").prefix("zzz"));

    assertThat(top.contents()).extracting(S3Object::key).containsExactly("a");
    assertThat(top.contents().get(0).owner().id()).isEqualTo("s3rdma");
    assertThat(top.contents().get(0).eTag()).startsWith("\"");
    assertThat(prefixes(top)).containsExactly("a/", "c/", "ü/");
    assertThat(top.keyCount()).isEqualTo(4);
    assertThat(inside.contents()).extracting(S3Object::key).containsExactly("c/f");
    assertThat(prefixes(inside)).containsExactly("c/d/");
    assertThat(encoded.contents()).extracting(S3Object::key).containsExactly("ü/+ &%");
    assertThat(none.contents()).isEmpty();
  }

  @Test
  void shouldDeleteManyWhenAsked() {
    s3.createBucket(b -> b.bucket("many"));
    put("many", "a");
    put("many", "b");
    put("many", "c");
    List<ObjectIdentifier> wanted =
        List.of(
            ObjectIdentifier.builder().key("a").build(),
            ObjectIdentifier.builder().key("b").build(),
            ObjectIdentifier.builder().key("never <there>").build());

    DeleteObjectsResponse deleted =
        s3.deleteObjects(b -> b.bucket("many").delete(Delete.builder().objects(wanted).build()));

    assertThat(deleted.deleted())
        .extracting(DeletedObject::key)
        .containsExactly("a", "b", "never <there>");
    assertThat(s3.listObjectsV2(b -> b.bucket("many")).contents())
        .extracting(S3Object::key)
        .containsExactly("c");
  }

  private static List<String> version1(String bucket, int maxKeys) {
    List<String> keys = new ArrayList<>();
    String marker = "";
    while (true) {
      String from = marker;
      ListObjectsResponse page =
          s3.listObjects(b -> b.bucket(bucket).marker(from).maxKeys(maxKeys));
      page.contents().forEach(object -> keys.add(object.key()));
      if (!page.isTruncated()) {
        return keys;
      }
      marker = page.nextMarker();
    }
  }

  private static List<String> prefixes(ListObjectsV2Response response) {
    return response.commonPrefixes().stream().map(CommonPrefix::prefix).toList();
  }

  private static void put(String bucket, String key) {
    s3.putObject(b -> b.bucket(bucket).key(key), RequestBody.fromString("content"));
  }
}
