package io.s3rdma.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.bench.ThreadCpu.Used;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ThreadCpuTest {
  @Test
  void shouldCountWhatThreadsUsedSinceThen() {
    ThreadCpu before =
        new ThreadCpu(Map.of("1", new Used("sdk-1", 100), "2", new Used("other", 900)));
    ThreadCpu after = new ThreadCpu(Map.of("1", new Used("sdk-1", 130), "3", new Used("sdk-2", 7)));
    assertThat(after.since(before)).containsEntry(Part.CLIENT, 37L).containsEntry(Part.REST, 0L);
    assertThat(after.namesSince(before)).containsExactlyEntriesOf(Map.of("sdk-*", 37L));
  }

  @Test
  void shouldFindTheThreadsOfThisProcess() throws IOException {
    ThreadCpu none = new ThreadCpu(Map.of());
    assertThat(ThreadCpu.now().since(none).values().stream().mapToLong(Long::longValue).sum())
        .isPositive();
  }
}
