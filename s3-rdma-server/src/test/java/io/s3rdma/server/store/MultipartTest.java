package io.s3rdma.server.store;

import static io.s3rdma.server.store.StoreLab.BUCKET;
import static io.s3rdma.server.store.StoreLab.completion;
import static io.s3rdma.server.store.StoreLab.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.server.encryption.Protection;
import io.s3rdma.server.store.StoreException.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MultipartTest {
  @TempDir Path directory;
  private StoreLab lab;

  @BeforeEach
  void open() throws IOException {
    lab = new StoreLab(directory, 100);
  }

  @AfterEach
  void close() throws IOException {
    lab.close();
  }

  @Test
  void shouldReadAcrossPartsWhenCompleted() throws IOException {
    UploadMeta upload = lab.upload("k");
    List<PartMeta> parts =
        List.of(
            lab.part(upload, 1, "one"),
            lab.part(upload, 3, ""),
            lab.part(upload, 4, "four"),
            lab.part(upload, 10_000, "last"));

    ObjectMeta object = lab.store().complete(completion(upload, parts));
    lab.reopen();

    assertThat(object.etag()).endsWith("-4");
    assertThat(lab.read("k")).isEqualTo("onefourlast");
    assertThat(lab.store().parts(object)).isEqualTo(parts);
    try (StoredObject opened = lab.store().open(BUCKET, "k")) {
      assertThat(range(opened, 2, 4)).isEqualTo("efou");
      assertThat(range(opened, 7, 4)).isEqualTo("last");
      assertThat(range(opened, 10, 4)).isEqualTo("t");
      assertThat(opened.extent(3, 100).length()).isEqualTo(4);
      assertThat(opened.extent(4, 2).length()).isEqualTo(2);
    }
    assertThat(lab.store().usage(BUCKET)).isEqualTo(new ObjectStore.Usage(11, 1));
  }

  @Test
  void shouldAnswerTheSameWhenCompletedAgain() throws IOException {
    UploadMeta upload = lab.upload("k");
    PartMeta part = lab.part(upload, 1, "one");
    PartMeta left = lab.part(upload, 2, "left out");

    ObjectMeta first = lab.store().complete(completion(upload, List.of(part)));
    lab.reopen();

    assertThat(lab.store().complete(completion(upload, List.of(part)))).isEqualTo(first);
    assertThatThrownBy(() -> lab.store().complete(completion(upload, List.of(part, left))))
        .satisfies(reason(Reason.NO_SUCH_UPLOAD));
    assertThat(lab.dataFiles()).hasSize(1);
  }

  @Test
  void shouldRefuseWhenPartsAreNotWhatIsClaimed() throws IOException {
    UploadMeta upload = lab.upload("k");
    PartMeta first = lab.part(upload, 1, "one");
    PartMeta second = lab.part(upload, 2, "two");
    lab.part(upload, 1, "another one");

    assertThatThrownBy(() -> lab.store().complete(completion(upload, List.of(first, second))))
        .satisfies(reason(Reason.INVALID_PART));
    assertThatThrownBy(() -> lab.store().complete(completion(upload, List.of(second, first))))
        .satisfies(reason(Reason.INVALID_PART_ORDER));
    Completion small =
        completion(upload, lab.store().uploadedParts(BUCKET, "k", upload.id(), 0, 9));
    assertThatThrownBy(
            () ->
                lab.store()
                    .complete(
                        new Completion(
                            BUCKET,
                            "k",
                            upload.id(),
                            small.parts(),
                            Preconditions.NONE,
                            Map.of(),
                            ChecksumType.COMPOSITE,
                            100)))
        .satisfies(reason(Reason.PART_TOO_SMALL));
    assertThat(lab.dataFiles()).hasSize(2);
    assertThat(lab.store().head(BUCKET, "k")).isEmpty();
  }

  @Test
  void shouldLeaveNothingWhenAbortedOrBucketGoes() throws IOException {
    UploadMeta aborted = lab.upload("k");
    lab.part(aborted, 1, "one");
    lab.store().abort(BUCKET, "k", aborted.id());
    assertThat(lab.dataFiles()).isEmpty();
    assertThat(lab.store().usage(BUCKET)).isEqualTo(new ObjectStore.Usage(0, 0));
    assertThatThrownBy(() -> lab.part(aborted, 2, "late")).satisfies(reason(Reason.NO_SUCH_UPLOAD));
    lab.part(lab.upload("l"), 1, "one");

    lab.store().deleteBucket(BUCKET);

    assertThat(lab.dataFiles()).isEmpty();
    lab.reopen();
    assertThat(lab.store().recovered().isClean()).isTrue();
  }

  @Test
  void shouldPageWhenUploadsAreMany() throws IOException {
    List<String> ids = new ArrayList<>();
    for (String key : List.of("a", "a", "b/1", "b/2", "c")) {
      ids.add(lab.upload(key).id());
    }
    assertThat(uploads("", "", "", 100).uploads()).extracting(UploadMeta::id).isEqualTo(ids);
    UploadListing first = uploads("", "", "/", 1);
    assertThat(first.uploads()).extracting(UploadMeta::id).containsExactly(ids.get(0));
    UploadListing second = uploads(first.nextKeyMarker(), first.nextUploadIdMarker(), "/", 2);
    assertThat(second.uploads()).extracting(UploadMeta::id).containsExactly(ids.get(1));
    assertThat(second.commonPrefixes()).containsExactly("b/");
    UploadListing third = uploads(second.nextKeyMarker(), second.nextUploadIdMarker(), "/", 2);
    assertThat(third.uploads()).extracting(UploadMeta::id).containsExactly(ids.get(4));
    assertThat(third.isTruncated()).isFalse();
    assertThat(uploads("a", "", "", 100).uploads()).hasSize(3);
  }

  @Test
  void shouldCompleteWithoutMovingBytesWhenPartsAreTenThousand() throws IOException {
    UploadMeta upload = lab.upload("k");
    List<PartMeta> parts = new ArrayList<>();
    for (int number = 1; number <= 10_000; number++) {
      parts.add(lab.part(upload, number, "p" + number));
    }
    List<Path> files = lab.dataFiles();

    lab.store().complete(completion(upload, parts));

    assertThat(lab.dataFiles()).containsExactlyInAnyOrderElementsOf(files);
    assertThat(lab.read("k")).startsWith("p1p2p3").endsWith("p9999p10000");
  }

  @Test
  void shouldHaveFilesOfItsOwnWhenCopied() throws IOException {
    UploadMeta upload = lab.upload("parts");
    lab.store()
        .complete(
            completion(upload, List.of(lab.part(upload, 1, "one"), lab.part(upload, 2, "two"))));
    lab.put("inline", "small");
    lab.put("file", "large".repeat(100));
    for (String key : List.of("parts", "inline", "file")) {
      String content = lab.read(key);
      ObjectMeta copy = copy(key, "copy of " + key);
      lab.store().delete(ObjectRef.current(BUCKET, key));
      assertThat(lab.read("copy of " + key)).isEqualTo(content);
      assertThat(copy.size()).isEqualTo(content.length());
    }
    assertThat(lab.dataFiles()).hasSize(3);
    lab.reopen();
    assertThat(lab.store().recovered().isClean()).isTrue();
    for (String key : List.of("parts", "inline", "file")) {
      lab.store().delete(ObjectRef.current(BUCKET, "copy of " + key));
    }
    assertThat(lab.dataFiles()).isEmpty();
    assertThat(lab.store().usage(BUCKET)).isEqualTo(new ObjectStore.Usage(0, 0));
  }

  @Test
  void shouldCopyWhatIsOpenWhenTheSourceGoes() throws IOException {
    lab.put("file", "large".repeat(100));
    try (StoredObject source = lab.store().open(BUCKET, "file")) {
      lab.store().delete(ObjectRef.current(BUCKET, "file"));
      lab.store()
          .copy(
              source,
              NewObject.of(BUCKET, "copy"),
              Preconditions.NONE,
              Map.of(),
              ChecksumType.FULL_OBJECT,
              Protection.NONE);
    }

    assertThat(lab.read("copy")).isEqualTo("large".repeat(100));
    assertThat(lab.dataFiles()).hasSize(1);
  }

  @Test
  void shouldLeaveNoFileWhenACopyIsRefused() throws IOException {
    lab.put("file", "large".repeat(100));
    Preconditions absent = new Preconditions(List.of(), List.of("*"));
    try (StoredObject source = lab.store().open(BUCKET, "file")) {
      assertThatThrownBy(
              () ->
                  lab.store()
                      .copy(
                          source,
                          NewObject.of(BUCKET, "file"),
                          absent,
                          Map.of(),
                          ChecksumType.FULL_OBJECT,
                          Protection.NONE))
          .satisfies(reason(Reason.PRECONDITION_FAILED));
    }
    assertThat(lab.dataFiles()).hasSize(1);
  }

  private ObjectMeta copy(String from, String to) throws IOException {
    try (StoredObject source = lab.store().open(BUCKET, from)) {
      return lab.store()
          .copy(
              source,
              NewObject.of(BUCKET, to),
              Preconditions.NONE,
              Map.of(),
              ChecksumType.FULL_OBJECT,
              Protection.NONE);
    }
  }

  private UploadListing uploads(String key, String id, String delimiter, int max)
      throws IOException {
    return lab.store().listUploads(new UploadQuery(BUCKET, "", key, id, delimiter, max));
  }

  private static String range(StoredObject object, long position, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(length);
    int count = object.read(position, buffer);
    return new String(buffer.array(), 0, count, StandardCharsets.UTF_8);
  }
}
