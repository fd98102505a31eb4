package io.s3rdma.counters;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CounterFileTest {
  @TempDir private Path folder;

  @Test
  void shouldReadTheValueOfTheMomentWhenTheFileStaysOpen() throws IOException {
    Path path = folder.resolve("port_xmit_packets");
    try (CounterFile file = new CounterFile(path)) {
      assertThat(file.read()).as("not there").isEmpty();
      Files.writeString(path, "7\n");
      assertThat(file.read()).hasValue(7);
      Files.writeString(path, "18446744073709551615\n");
      assertThat(file.read()).isEqualTo(OptionalLong.of(-1));
      Files.writeString(path, "N/A (no PMA)\n");
      assertThat(file.read()).isEmpty();
    }
  }

  @Test
  void shouldReadAndKeepTheInterruptWhenTheThreadIsInterrupted() throws IOException {
    Path path = Files.writeString(folder.resolve("port_xmit_packets"), "7\n");
    try (CounterFile file = new CounterFile(path)) {
      assertThat(file.read()).hasValue(7);
      Thread.currentThread().interrupt();
      assertThat(file.read()).hasValue(7);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(file.read()).hasValue(7);
    }
  }

  @Test
  void shouldReadNothingWhenItIsClosed() throws IOException {
    Path path = Files.writeString(folder.resolve("port_xmit_packets"), "7\n");
    CounterFile file = new CounterFile(path);
    file.close();
    assertThat(file.read()).isEmpty();
  }
}
