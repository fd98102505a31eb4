package io.s3rdma.client.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AtomicFileTest {
  @TempDir private Path folder;

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  @Test
  void shouldReplaceTheOldFileOnlyWhenCommitted() throws IOException {
    Path target = Files.writeString(folder.resolve("f"), "old");

    try (AtomicFile file = AtomicFile.create(target)) {
      file.write(bytes("new"));
      assertThat(target).hasContent("old");
      file.commit();
    }

    assertThat(target).hasContent("new");
    assertThat(folder).isDirectoryNotContaining("glob:**.part");
  }

  @Test
  void shouldLeaveNothingBehindWhenNotCommitted() throws IOException {
    try (AtomicFile file = AtomicFile.create(folder.resolve("f"))) {
      file.write(bytes("half"));
    }

    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void shouldKeepALinkWhenTheTargetIsOne() throws IOException {
    Path real = Files.writeString(folder.resolve("real"), "old");
    Path link = Files.createSymbolicLink(folder.resolve("link"), real);

    try (AtomicFile file = AtomicFile.create(link)) {
      file.write(bytes("new"));
      file.commit();
    }

    assertThat(link).isSymbolicLink();
    assertThat(real).hasContent("new");
  }

  @Test
  void shouldWriteDirectlyWhenTheTargetIsADevice() throws IOException {
    try (AtomicFile file = AtomicFile.create(Path.of("/dev/null"))) {
      file.write(bytes("gone"));
      file.commit();
    }

    assertThat(Path.of("/dev/null")).exists();
  }

  @Test
  void shouldNameTheFolderWhenItIsMissing() {
    assertThatThrownBy(() -> AtomicFile.create(folder.resolve("no/f")).close())
        .isInstanceOf(NoSuchFileException.class);
  }
}
