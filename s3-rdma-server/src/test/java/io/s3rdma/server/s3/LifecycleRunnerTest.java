package io.s3rdma.server.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.server.document.LifecycleDocument;
import io.s3rdma.server.document.LifecycleRules;
import io.s3rdma.server.encryption.Protection;
import io.s3rdma.server.store.BucketMeta.Versioning;
import io.s3rdma.server.store.ChecksumType;
import io.s3rdma.server.store.EtagKind;
import io.s3rdma.server.store.LocalStore;
import io.s3rdma.server.store.NewObject;
import io.s3rdma.server.store.ObjectMeta;
import io.s3rdma.server.store.ObjectRef;
import io.s3rdma.server.store.ObjectStore;
import io.s3rdma.server.store.ObjectWriter;
import io.s3rdma.server.store.Preconditions;
import io.s3rdma.server.store.StoreConfig;
import io.s3rdma.server.store.UploadQuery;
import io.s3rdma.server.store.VersionListing;
import io.s3rdma.server.store.VersionQuery;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rules at work on a real store, seen from a day that has not come yet. */
class LifecycleRunnerTest {
  private static final String BUCKET = "b";
  private static final LifecycleConfig CONFIG = new LifecycleConfig(3600, 86_400, 1_000_000);

  @TempDir Path directory;
  private ObjectStore store;

  @BeforeEach
  void open() throws IOException {
    store =
        new LocalStore(
            new StoreConfig(directory, StoreConfig.Durability.NONE, 0, 4096, 0, Map.of(), 0, 1));
    store.createBucket(BUCKET, "me");
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  @Test
  void shouldExpireWhenOldEnough() throws IOException {
    put("logs/1", Map.of());
    put("logs/2", Map.of("keep", "yes"));
    put("logs/3", Map.of("gone", "yes"));
    put("data/1", Map.of("gone", "yes"));
    rules(
        rule(
            "<Filter><And><Prefix>logs/</Prefix><Tag><Key>gone</Key><Value>yes</Value></Tag></And>"
                + "</Filter>",
            expiration("<Days>2</Days>")));

    pass(1);
    assertThat(keys()).hasSize(4);
    LifecycleCounts counts = pass(4);

    assertThat(keys()).containsExactly("data/1", "logs/1", "logs/2");
    assertThat(counts.expired().sum()).isEqualTo(1);
    assertThat(counts.looked().sum()).isEqualTo(3); // What the prefix leaves out is not read.
  }

  @Test
  void shouldLeaveMarkerWhenVersionsAreKept() throws IOException {
    versioning(Versioning.ENABLED);
    put("a", Map.of());
    rules(rule("<Prefix/>", expiration("<Days>1</Days>")));

    pass(3);

    assertThat(keys()).isEmpty();
    List<VersionListing.Entry> versions = versions();
    assertThat(versions).hasSize(2);
    assertThat(versions.get(0).version().isDeleteMarker()).isTrue();
    pass(3);
    assertThat(versions()).hasSize(2); // A marker with something behind it stays.
  }

  @Test
  void shouldKeepLastCheckpointsWhenRuleSaysHowMany() throws IOException {
    versioning(Versioning.ENABLED);
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      ids.add(0, put("run/latest", Map.of()).versionId());
      put("other", Map.of());
    }
    rules(
        rule(
            "<Filter><Prefix>run/</Prefix></Filter>",
            "<NoncurrentVersionExpiration><NoncurrentDays>1</NoncurrentDays>"
                + "<NewerNoncurrentVersions>2</NewerNoncurrentVersions>"
                + "</NoncurrentVersionExpiration>"));

    pass(0);
    assertThat(versionIds("run/latest")).isEqualTo(ids);
    LifecycleCounts counts = pass(3);

    assertThat(versionIds("run/latest")).isEqualTo(ids.subList(0, 3));
    assertThat(versionIds("other")).hasSize(6);
    assertThat(counts.noncurrentRemoved().sum()).isEqualTo(3);
  }

  @Test
  void shouldNotCountMarkersWhenVersionsAreKeptByNumber() throws IOException {
    versioning(Versioning.ENABLED);
    String kept = put("k", Map.of()).versionId();
    store.delete(ObjectRef.current(BUCKET, "k"));
    store.delete(ObjectRef.current(BUCKET, "k"));
    rules(
        rule(
            "<Filter/>",
            "<NoncurrentVersionExpiration><NoncurrentDays>1</NoncurrentDays>"
                + "<NewerNoncurrentVersions>1</NewerNoncurrentVersions>"
                + "</NoncurrentVersionExpiration>"));

    pass(3);

    assertThat(versionIds("k")).hasSize(3).contains(kept);
  }

  @Test
  void shouldRemoveMarkerWhenNothingIsLeftBehindIt() throws IOException {
    versioning(Versioning.ENABLED);
    put("a", Map.of());
    store.delete(ObjectRef.current(BUCKET, "a"));
    put("b", Map.of());
    store.delete(ObjectRef.current(BUCKET, "b"));
    rules(
        rule(
            "<Prefix>a</Prefix>",
            expiration("<ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker>")
                + "<NoncurrentVersionExpiration><NoncurrentDays>1</NoncurrentDays>"
                + "</NoncurrentVersionExpiration>"));

    LifecycleCounts first = pass(3);
    LifecycleCounts second = pass(3);

    assertThat(first.noncurrentRemoved().sum()).isEqualTo(1);
    assertThat(first.markersRemoved().sum()).isZero();
    assertThat(second.markersRemoved().sum()).isEqualTo(1);
    assertThat(versions()).extracting(entry -> entry.version().key()).containsExactly("b", "b");
  }

  @Test
  void shouldWalkPagesWhenThereAreManyVersions() throws IOException {
    versioning(Versioning.ENABLED);
    for (int i = 0; i < 1200; i++) {
      put(i % 2 == 0 ? "even" : "odd", Map.of());
    }
    rules(
        rule(
            "<Filter/>",
            "<NoncurrentVersionExpiration><NoncurrentDays>1</NoncurrentDays>"
                + "<NewerNoncurrentVersions>100</NewerNoncurrentVersions>"
                + "</NoncurrentVersionExpiration>"));

    LifecycleCounts counts = pass(3);

    assertThat(counts.noncurrentRemoved().sum()).isEqualTo(998);
    assertThat(versionIds("even")).hasSize(101);
    assertThat(versionIds("odd")).hasSize(101);
  }

  @Test
  void shouldAbortUploadWhenItIsOld() throws IOException {
    String id =
        store
            .createUpload(
                NewObject.of(BUCKET, "a/x"), "me", "", ChecksumType.FULL_OBJECT, Protection.NONE)
            .id();
    store.createUpload(
        NewObject.of(BUCKET, "b/x"), "me", "", ChecksumType.FULL_OBJECT, Protection.NONE);
    rules(
        rule(
            "<Prefix>a/</Prefix>",
            "<AbortIncompleteMultipartUpload><DaysAfterInitiation>2</DaysAfterInitiation>"
                + "</AbortIncompleteMultipartUpload>"));

    pass(1);
    assertThat(store.upload(BUCKET, "a/x", id).id()).isEqualTo(id);
    LifecycleCounts counts = pass(4);

    assertThat(counts.uploadsAborted().sum()).isEqualTo(1);
    assertThat(store.listUploads(new UploadQuery(BUCKET, "", "", "", "", 10)).uploads())
        .extracting(upload -> upload.object().key())
        .containsExactly("b/x");
  }

  @Test
  void shouldDoNothingWhenRuleIsDisabledOrGone() throws IOException {
    put("a", Map.of());
    rules(rule("<Prefix/>", expiration("<Days>1</Days>")).replace("Enabled", "Disabled"));
    assertThat(pass(9).looked().sum()).isZero();
    store.updateBucket(BUCKET, bucket -> bucket.withSetting(LifecycleRules.SETTING, null));
    pass(9);

    assertThat(keys()).containsExactly("a");
  }

  /** The sweep looked at a version, and somebody wrote another before it deleted. */
  @Test
  void shouldKeepNewOneWhenOverwrittenInBetween() throws IOException {
    ObjectMeta seen = put("a", Map.of());
    ObjectMeta now = put("a", Map.of());

    assertThat(now.etag()).isEqualTo(seen.etag());
    assertThat(
            org.assertj.core.api.Assertions.catchThrowable(
                () -> store.delete(ObjectRef.current(BUCKET, "a"), Preconditions.still(seen))))
        .hasMessageContaining("not what it was");
    assertThat(store.head(BUCKET, "a")).isPresent();
    store.delete(ObjectRef.current(BUCKET, "a"), Preconditions.still(now));
    assertThat(store.head(BUCKET, "a")).isEmpty();
  }

  @Test
  void shouldEndWhenClosed() throws IOException {
    put("a", Map.of());
    rules(rule("<Prefix/>", expiration("<Days>1</Days>")));
    LifecycleRunner runner = runner(9);
    runner.start();
    runner.close();
    runner.close();
    runner.pass();

    assertThat(keys()).containsExactly("a");
  }

  private LifecycleCounts pass(int daysAhead) {
    LifecycleRunner runner = runner(daysAhead);
    runner.pass();
    assertThat(runner.counts().failures().sum()).isZero();
    return runner.counts();
  }

  private LifecycleRunner runner(int daysAhead) {
    Instant day = Instant.now().plus(Duration.ofDays(daysAhead));
    return new LifecycleRunner(store, CONFIG, () -> day);
  }

  private ObjectMeta put(String key, Map<String, String> tags) throws IOException {
    NewObject object = new NewObject(BUCKET, key, Map.of(), tags, "");
    try (ObjectWriter writer = store.create(object, 1, EtagKind.MD5)) {
      writer.write(ByteBuffer.wrap(new byte[] {7}));
      return writer.commit(Preconditions.NONE, Map.of());
    }
  }

  private void versioning(Versioning versioning) throws IOException {
    store.updateBucket(BUCKET, bucket -> bucket.withVersioning(versioning));
  }

  private void rules(String rules) throws IOException {
    String document = "<LifecycleConfiguration>" + rules + "</LifecycleConfiguration>";
    String kept = LifecycleDocument.toKeep(document.getBytes(StandardCharsets.UTF_8));
    store.updateBucket(BUCKET, bucket -> bucket.withSetting(LifecycleRules.SETTING, kept));
  }

  private static String rule(String filter, String actions) {
    return "<Rule>" + filter + "<Status>Enabled</Status>" + actions + "</Rule>";
  }

  private static String expiration(String when) {
    return "<Expiration>" + when + "</Expiration>";
  }

  private List<VersionListing.Entry> versions() throws IOException {
    return store.listVersions(new VersionQuery(BUCKET, "", "", "", "", 5000)).entries();
  }

  private List<String> versionIds(String key) throws IOException {
    return versions().stream()
        .map(VersionListing.Entry::version)
        .filter(version -> version.key().equals(key))
        .map(ObjectMeta::versionId)
        .toList();
  }

  private List<String> keys() throws IOException {
    return versions().stream()
        .filter(entry -> entry.isLatest() && !entry.version().isDeleteMarker())
        .map(entry -> entry.version().key())
        .toList();
  }
}
