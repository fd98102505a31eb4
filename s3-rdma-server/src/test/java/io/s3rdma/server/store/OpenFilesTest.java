package io.s3rdma.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenFilesTest {
  @TempDir Path directory;

  private final OpenFiles files = new OpenFiles(2);
  private int opened;

  @BeforeEach
  void create() throws IOException {
    for (String id : new String[] {"a", "b", "c"}) {
      Files.writeString(directory.resolve(id), "content of " + id);
    }
  }

  @Test
  void shouldOpenOnceWhenReadAgain() throws IOException {
    FileChannel first;
    try (OpenFiles.Held held = hold("a")) {
      first = held.channel();
    }
    try (OpenFiles.Held held = hold("a")) {
      assertThat(held.channel()).isSameAs(first);
      assertThat(read(held)).isEqualTo("content of a");
    }
    assertThat(opened).isEqualTo(1);
  }

  @Test
  void shouldCloseTheOneUsedLongestAgoWhenFull() throws IOException {
    FileChannel a;
    FileChannel b;
    try (OpenFiles.Held heldA = hold("a");
        OpenFiles.Held heldB = hold("b")) {
      a = heldA.channel();
      b = heldB.channel();
    }
    hold("a").close();

    hold("c").close();

    assertThat(b.isOpen()).isFalse();
    assertThat(a.isOpen()).isTrue();
  }

  @Test
  void shouldStayOpenForItsReaderWhenForgotten() throws IOException {
    OpenFiles.Held reader = hold("a");
    Files.delete(directory.resolve("a"));
    files.forget("a");

    assertThat(read(reader)).isEqualTo("content of a");
    FileChannel channel = reader.channel();
    reader.close();

    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void shouldOpenAnewWhenAnInterruptClosedIt() throws IOException {
    try (OpenFiles.Held held = hold("a")) {
      held.channel().close();
    }

    try (OpenFiles.Held held = hold("a")) {
      assertThat(read(held)).isEqualTo("content of a");
    }
    assertThat(opened).isEqualTo(2);
  }

  @Test
  void shouldCloseEverythingWhenAllIsForgotten() throws IOException {
    FileChannel a;
    try (OpenFiles.Held held = hold("a")) {
      a = held.channel();
    }

    files.forgetAll();

    assertThat(a.isOpen()).isFalse();
  }

  private OpenFiles.Held hold(String id) throws IOException {
    return files.open(
        id,
        name -> {
          opened++;
          return FileChannel.open(directory.resolve(name), StandardOpenOption.READ);
        });
  }

  private static String read(OpenFiles.Held held) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(64);
    int count = held.channel().read(bytes, 0);
    return new String(bytes.array(), 0, count, StandardCharsets.UTF_8);
  }
}
