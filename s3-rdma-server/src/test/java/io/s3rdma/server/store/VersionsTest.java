package io.s3rdma.server.store;

import static io.s3rdma.server.store.StoreLab.BUCKET;
import static io.s3rdma.server.store.StoreLab.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.server.encryption.SealedKey;
import io.s3rdma.server.store.BucketMeta.Versioning;
import io.s3rdma.server.store.StoreException.Reason;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VersionsTest {
  @TempDir Path directory;
  private StoreLab lab;

  @BeforeEach
  void open() throws IOException {
    lab = new StoreLab(directory, 4);
  }

  @AfterEach
  void close() throws IOException {
    lab.close();
  }

  @Test
  void shouldKeepWhatIsOverwrittenWhenEnabled() throws IOException {
    ObjectMeta plain = lab.put("k", "plain");
    lab.versioning(Versioning.ENABLED);
    ObjectMeta first = lab.put("k", "first");
    ObjectMeta second = lab.put("k", "second");

    assertThat(plain.versionId()).isEqualTo("null");
    assertThat(lab.read("k")).isEqualTo("second");
    assertThat(lab.read(plain.ref())).isEqualTo("plain");
    assertThat(lab.read(first.ref())).isEqualTo("first");
    assertThat(lab.read(second.ref())).isEqualTo("second");
    assertThatThrownBy(() -> lab.read(new ObjectRef(BUCKET, "k", "f".repeat(32))))
        .satisfies(reason(Reason.NO_SUCH_VERSION));
  }

  @Test
  void shouldHideBehindAMarkerWhenDeleted() throws IOException {
    lab.versioning(Versioning.ENABLED);
    ObjectMeta kept = lab.put("k", "kept");

    Deletion deletion = lab.store().delete(ObjectRef.current(BUCKET, "k"));

    assertThat(deletion.isDeleteMarker()).isTrue();
    assertThat(lab.store().head(BUCKET, "k")).isEmpty();
    assertThatThrownBy(() -> lab.read("k")).satisfies(reason(Reason.DELETE_MARKER));
    assertThat(lab.read(kept.ref())).isEqualTo("kept");
    assertThatThrownBy(() -> lab.store().deleteBucket(BUCKET))
        .satisfies(reason(Reason.BUCKET_NOT_EMPTY));

    Deletion undone =
        lab.store().delete(new ObjectRef(BUCKET, "k", deletion.versionId()), Preconditions.NONE);

    assertThat(undone.isDeleteMarker()).isTrue();
    assertThat(lab.read("k")).isEqualTo("kept");
  }

  @Test
  void shouldReplaceTheNullVersionOnlyWhenSuspended() throws IOException {
    lab.put("k", "plain");
    lab.versioning(Versioning.ENABLED);
    ObjectMeta kept = lab.put("k", "kept");
    lab.versioning(Versioning.SUSPENDED);
    lab.put("k", "again");
    lab.put("k", "and again");

    assertThat(lab.versions("", "", 10).entries())
        .extracting(entry -> entry.version().versionId())
        .containsExactly("null", kept.versionId());
    assertThat(lab.read("k")).isEqualTo("and again");
    assertThat(lab.dataFiles()).hasSize(1);
  }

  @Test
  void shouldKeepTheSourceWhenTagsChangeOnAnOlderVersion() throws IOException {
    lab.versioning(Versioning.ENABLED);
    ObjectMeta older = lab.put("k", "older");
    lab.put("k", "newer");

    lab.store().updateObject(older.ref(), meta -> meta.withTags(Map.of("a", "b")));

    assertThat(lab.store().find(older.ref()).orElseThrow().tags()).containsEntry("a", "b");
    assertThat(lab.store().head(BUCKET, "k").orElseThrow().tags()).isEmpty();
  }

  /** Against a list a key, with all that a bucket can do, over restarts. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void shouldBehaveAsTheModelWhenAnythingHappens(long seed) throws IOException {
    Model model = new Model();
    Random random = new Random(seed);
    List<String> keys = List.of("a", "a\u0000", "a\u0000b", "a/", "a/b", "b", "ü");
    for (int step = 0; step < 300; step++) {
      String key = keys.get(random.nextInt(keys.size()));
      switch (random.nextInt(20)) {
        case 0, 1, 2, 3, 4, 5, 6 -> model.put(lab.put(key, "content " + step));
        case 7, 8, 9, 10 -> model.delete(key, lab.store().delete(ObjectRef.current(BUCKET, key)));
        case 11, 12, 13, 14, 15, 16 -> model.deleteSome(key, random, lab);
        case 17, 18 -> {
          model.versioning = random.nextBoolean() ? Versioning.ENABLED : Versioning.SUSPENDED;
          lab.versioning(model.versioning);
        }
        default -> lab.reopen();
      }
      model.verify(lab, random);
    }
    lab.reopen();
    model.verify(lab, random);
    assertThat(lab.store().recovered().isClean()).isTrue();
  }

  /** What must be there, the newest first. */
  private static final class Model {
    private final Map<String, List<ObjectMeta>> keys = new TreeMap<>();
    private Versioning versioning = Versioning.OFF;

    void put(ObjectMeta meta) {
      List<ObjectMeta> versions = keys.computeIfAbsent(meta.key(), k -> new ArrayList<>());
      makeRoom(versions);
      versions.add(0, meta);
    }

    void delete(String key, Deletion deletion) {
      List<ObjectMeta> versions = keys.computeIfAbsent(key, k -> new ArrayList<>());
      if (versioning == Versioning.OFF) {
        assertThat(deletion.found()).isEqualTo(!versions.isEmpty());
        versions.clear();
        return;
      }
      makeRoom(versions);
      assertThat(deletion.isDeleteMarker()).isTrue();
      versions.add(0, marker(key, deletion.versionId()));
    }

    private void makeRoom(List<ObjectMeta> versions) {
      if (versioning != Versioning.ENABLED) {
        versions.removeIf(version -> version.versionId().equals("null"));
      }
    }

    private static ObjectMeta marker(String key, String id) {
      return new ObjectMeta(
          BUCKET,
          key,
          id,
          0,
          ObjectMeta.Layout.DELETE_MARKER,
          "",
          0,
          0,
          "",
          java.time.Instant.EPOCH,
          Map.of(),
          Map.of(),
          ChecksumType.FULL_OBJECT,
          Map.of(),
          "",
          SealedKey.NONE);
    }

    void deleteSome(String key, Random random, StoreLab lab) throws IOException {
      List<ObjectMeta> versions = keys.getOrDefault(key, List.of());
      if (versions.isEmpty()) {
        ObjectRef none = new ObjectRef(BUCKET, key, "null");
        assertThat(lab.store().delete(none).found()).isFalse();
        return;
      }
      ObjectMeta gone = versions.remove(random.nextInt(versions.size()));
      Deletion deletion = lab.store().delete(gone.ref());
      assertThat(deletion).isEqualTo(new Deletion(true, gone.versionId(), gone.isDeleteMarker()));
    }

    void verify(StoreLab lab, Random random) throws IOException {
      List<String> expected = new ArrayList<>();
      List<String> current = new ArrayList<>();
      long bytes = 0;
      int files = 0;
      for (List<ObjectMeta> versions : keys.values()) {
        for (ObjectMeta version : versions) {
          expected.add(version.key() + " " + version.versionId() + version.equals(versions.get(0)));
          bytes += version.size();
          files += version.isDeleteMarker() ? 0 : 1;
        }
        if (!versions.isEmpty() && !versions.get(0).isDeleteMarker()) {
          current.add(versions.get(0).key() + " " + versions.get(0).etag());
        }
      }
      assertThat(paged(lab, 1 + random.nextInt(4))).isEqualTo(expected);
      assertThat(lab.store().list(new ListQuery(BUCKET, "", "", "", 100)).objects())
          .extracting(meta -> meta.key() + " " + meta.etag())
          .isEqualTo(current);
      assertThat(lab.store().usage(BUCKET)).isEqualTo(new ObjectStore.Usage(bytes, files));
      assertThat(lab.dataFiles()).hasSize(files);
    }

    private static List<String> paged(StoreLab lab, int max) throws IOException {
      List<String> found = new ArrayList<>();
      Optional<VersionListing> page = Optional.empty();
      do {
        page =
            Optional.of(
                lab.versions(
                    page.map(VersionListing::nextKeyMarker).orElse(""),
                    page.map(VersionListing::nextVersionIdMarker).orElse(""),
                    max));
        page.get()
            .entries()
            .forEach(
                entry ->
                    found.add(
                        entry.version().key()
                            + " "
                            + entry.version().versionId()
                            + entry.isLatest()));
      } while (page.get().isTruncated());
      return found;
    }
  }
}
