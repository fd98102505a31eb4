package io.s3rdma.server.store;

import static io.s3rdma.server.store.StoreLab.BUCKET;
import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.server.encryption.Protection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScrubberTest {
  @TempDir Path directory;
  private StoreLab lab;

  @BeforeEach
  void open() throws IOException {
    lab = new StoreLab(directory, 10);
    lab.put("small", "in the db");
    lab.put("large", "in a file of its own");
    UploadMeta upload = lab.upload("parts");
    List<PartMeta> parts = List.of(lab.part(upload, 1, "one"), lab.part(upload, 2, "two"));
    lab.store().complete(StoreLab.completion(upload, parts));
    lab.part(lab.upload("unfinished"), 7, "seven");
    try (StoredObject source = lab.store().open(BUCKET, "large")) {
      lab.store()
          .copy(
              source,
              NewObject.of(BUCKET, "copy"),
              Preconditions.NONE,
              Map.of(),
              ChecksumType.FULL_OBJECT,
              Protection.NONE);
    }
  }

  @AfterEach
  void close() throws IOException {
    lab.close();
  }

  @Test
  void shouldReadEveryFileWhenAllIsWell() throws IOException {
    assertThat(lab.store().scrubState().lastRound()).isEmpty();

    lab.store().scrub();

    ScrubState state = lab.store().scrubState();
    assertThat(state.rotten()).isZero();
    assertThat(state.files()).isEqualTo(5);
    assertThat(state.bytes()).isEqualTo(20 + 3 + 3 + 5 + 20);
    lab.reopen();
    assertThat(lab.store().scrubState().lastRound()).isEqualTo(state.lastRound());
  }

  @Test
  void shouldNameTheObjectWhenAByteFlipped() throws IOException {
    for (Path file : lab.dataFiles()) {
      byte[] octets = Files.readAllBytes(file);
      if (octets.length == 5) {
        octets[2] ^= 4;
        Files.write(file, octets);
      }
    }

    lab.store().scrub();

    assertThat(lab.store().scrubState().rotten()).isEqualTo(1);
    assertThat(lab.store().scrubState().recentlyRotten())
        .containsExactly("bucket/unfinished part 7");
  }

  @Test
  void shouldTellWhenAFileIsShortOrGone() throws IOException {
    for (Path file : lab.dataFiles()) {
      String content = Files.readString(file);
      if (content.equals("one")) {
        Files.writeString(file, "on");
      } else if (content.equals("two")) {
        Files.delete(file);
      }
    }

    lab.store().scrub();

    assertThat(lab.store().scrubState().recentlyRotten())
        .containsExactlyInAnyOrder("bucket/parts part 1", "bucket/parts part 2");
  }

  @Test
  void shouldTakeNoDeletionForRot() throws IOException {
    lab.store().delete(ObjectRef.current(BUCKET, "parts"));
    lab.store().delete(ObjectRef.current(BUCKET, "large"));

    lab.store().scrub();

    assertThat(lab.store().scrubState().rotten()).isZero();
    assertThat(lab.store().scrubState().files()).isEqualTo(2);
  }
}
