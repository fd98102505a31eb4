package io.s3rdma.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.BucketVersioningStatus;
import software.amazon.awssdk.services.s3.model.CommonPrefix;
import software.amazon.awssdk.services.s3.model.DeleteMarkerEntry;
import software.amazon.awssdk.services.s3.model.DeleteObjectResponse;
import software.amazon.awssdk.services.s3.model.DeleteObjectsResponse;
import software.amazon.awssdk.services.s3.model.ListObjectVersionsResponse;
import software.amazon.awssdk.services.s3.model.MFADelete;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.ObjectVersion;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/** Versioning, listings of versions, and deletes with versions and conditions. */
class SdkVersionListIT {
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
  void shouldKnowStatusWhenVersioningIsSwitched() {
    s3.createBucket(b -> b.bucket("status"));

    assertThat(s3.getBucketVersioning(b -> b.bucket("status")).status()).isNull();
    versioning("status", BucketVersioningStatus.ENABLED);
    assertThat(s3.getBucketVersioning(b -> b.bucket("status")).status())
        .isEqualTo(BucketVersioningStatus.ENABLED);
    versioning("status", BucketVersioningStatus.SUSPENDED);
    assertThat(s3.getBucketVersioning(b -> b.bucket("status")).status())
        .isEqualTo(BucketVersioningStatus.SUSPENDED);
    assertThatThrownBy(
            () ->
                s3.putBucketVersioning(
                    b ->
                        b.bucket("status")
                            .versioningConfiguration(
                                c ->
                                    c.status(BucketVersioningStatus.ENABLED)
                                        .mfaDelete(MFADelete.ENABLED))))
        .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(501));
  }

  @Test
  void shouldListNullVersionsWhenVersioningWasNeverOn() {
    s3.createBucket(b -> b.bucket("plain"));
    put("plain", "a");
    put("plain", "a");

    ListObjectVersionsResponse page = s3.listObjectVersions(b -> b.bucket("plain"));

    assertThat(page.versions()).hasSize(1);
    assertThat(page.versions().get(0).versionId()).isEqualTo("null");
    assertThat(page.versions().get(0).isLatest()).isTrue();
    assertThat(page.versions().get(0).owner().id()).isEqualTo("s3rdma");
    DeleteObjectResponse gone = s3.deleteObject(b -> b.bucket("plain").key("a").versionId("null"));
    assertThat(gone.deleteMarker()).isNull();
    assertThat(s3.listObjectVersions(b -> b.bucket("plain")).versions()).isEmpty();
  }

  @Test
  void shouldPageWhenThereAreManyVersionsAndMarkers() {
    s3.createBucket(b -> b.bucket("pages"));
    put("pages", "k 0+");
    versioning("pages", BucketVersioningStatus.ENABLED);
    for (int i = 0; i < 3; i++) {
      put("pages", "k 0+");
      put("pages", "k1");
    }
    DeleteObjectResponse marker = s3.deleteObject(b -> b.bucket("pages").key("k1"));
    put("pages", "z");

    for (int max = 1; max < 9; max++) {
      int size = max;
      List<ListObjectVersionsResponse> pages =
          s3.listObjectVersionsPaginator(b -> b.bucket("pages").maxKeys(size)).stream().toList();
      List<ObjectVersion> versions = pages.stream().flatMap(p -> p.versions().stream()).toList();
      List<DeleteMarkerEntry> markers =
          pages.stream().flatMap(p -> p.deleteMarkers().stream()).toList();

      assertThat(versions)
          .extracting(ObjectVersion::key)
          .containsExactly("k 0+", "k 0+", "k 0+", "k 0+", "k1", "k1", "k1", "z");
      assertThat(versions.get(3).versionId()).isEqualTo("null");
      assertThat(versions).filteredOn(ObjectVersion::isLatest).hasSize(2);
      assertThat(markers).hasSize(1);
      assertThat(markers.get(0).versionId()).isEqualTo(marker.versionId());
      assertThat(markers.get(0).isLatest()).isTrue();
    }
  }

  @Test
  void shouldRollUpWhenVersionsAreListedWithDelimiter() {
    s3.createBucket(b -> b.bucket("roll"));
    versioning("roll", BucketVersioningStatus.ENABLED);
    for (String key : List.of("a/1", "a/1", "a/2", "b", "c/1")) {
      put("roll", key);
    }

    ListObjectVersionsResponse all = s3.listObjectVersions(b -> b.bucket("roll").delimiter("/"));
    ListObjectVersionsResponse first =
        s3.listObjectVersions(b -> b.bucket("roll").delimiter("/").maxKeys(1));
    ListObjectVersionsResponse second =
        s3.listObjectVersions(
            b -> b.bucket("roll").delimiter("/").keyMarker(first.nextKeyMarker()));

    assertThat(all.commonPrefixes()).extracting(CommonPrefix::prefix).containsExactly("a/", "c/");
    assertThat(all.versions()).extracting(ObjectVersion::key).containsExactly("b");
    assertThat(first.isTruncated()).isTrue();
    assertThat(first.commonPrefixes()).extracting(CommonPrefix::prefix).containsExactly("a/");
    assertThat(second.commonPrefixes()).extracting(CommonPrefix::prefix).containsExactly("c/");
    assertThat(second.versions()).extracting(ObjectVersion::key).containsExactly("b");
  }

  @Test
  void shouldBringBackWhenMarkerIsDeleted() {
    s3.createBucket(b -> b.bucket("back"));
    versioning("back", BucketVersioningStatus.ENABLED);
    put("back", "k");

    DeleteObjectResponse marker = s3.deleteObject(b -> b.bucket("back").key("k"));
    assertThat(marker.deleteMarker()).isTrue();
    assertThat(s3.listObjectsV2(b -> b.bucket("back")).contents()).isEmpty();
    DeleteObjectResponse gone =
        s3.deleteObject(b -> b.bucket("back").key("k").versionId(marker.versionId()));

    assertThat(gone.deleteMarker()).isTrue();
    assertThat(gone.versionId()).isEqualTo(marker.versionId());
    assertThat(s3.listObjectsV2(b -> b.bucket("back")).contents())
        .extracting(S3Object::key)
        .containsExactly("k");
  }

  @Test
  void shouldTellEachOutcomeWhenManyAreDeleted() {
    s3.createBucket(b -> b.bucket("many"));
    versioning("many", BucketVersioningStatus.ENABLED);
    put("many", "a");
    put("many", "b");
    String version =
        s3.listObjectVersions(b -> b.bucket("many").prefix("a")).versions().get(0).versionId();
    String etag = s3.headObject(b -> b.bucket("many").key("b")).eTag();

    DeleteObjectsResponse deleted =
        s3.deleteObjects(
            b ->
                b.bucket("many")
                    .delete(
                        d ->
                            d.objects(
                                ObjectIdentifier.builder().key("a").versionId(version).build(),
                                ObjectIdentifier.builder().key("b").eTag("bad").build(),
                                ObjectIdentifier.builder().key("b").eTag(etag).build(),
                                ObjectIdentifier.builder().key("no").eTag("bad").build())));

    assertThat(deleted.deleted()).hasSize(3);
    assertThat(deleted.deleted().get(0).versionId()).isEqualTo(version);
    assertThat(deleted.deleted().get(0).deleteMarker()).isNull();
    assertThat(deleted.deleted().get(1).key()).isEqualTo("b");
    assertThat(deleted.deleted().get(1).deleteMarker()).isTrue();
    assertThat(deleted.deleted().get(1).deleteMarkerVersionId()).isNotEmpty();
    assertThat(deleted.errors()).hasSize(1);
    assertThat(deleted.errors().get(0).code()).isEqualTo("PreconditionFailed");
  }

  @Test
  void shouldDeleteOnlyThatOneWhenConditionIsGiven() {
    s3.createBucket(b -> b.bucket("cond"));
    put("cond", "k");
    String etag = s3.headObject(b -> b.bucket("cond").key("k")).eTag();

    assertThatThrownBy(() -> s3.deleteObject(b -> b.bucket("cond").key("k").ifMatch("bad")))
        .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(412));
    s3.deleteObject(b -> b.bucket("cond").key("k").ifMatch(etag));
    assertThat(s3.listObjectsV2(b -> b.bucket("cond")).contents()).isEmpty();
    s3.deleteObject(b -> b.bucket("cond").key("k").ifMatch(etag));
    assertThatThrownBy(() -> s3.deleteObject(b -> b.bucket("nobucket").key("k").ifMatch("*")))
        .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(404));
  }

  private static void versioning(String bucket, BucketVersioningStatus status) {
    s3.putBucketVersioning(b -> b.bucket(bucket).versioningConfiguration(c -> c.status(status)));
  }

  private static void put(String bucket, String key) {
    s3.putObject(b -> b.bucket(bucket).key(key), RequestBody.fromString("content"));
  }
}
