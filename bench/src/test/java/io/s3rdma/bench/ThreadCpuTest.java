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
  void shouldTellWhoseAThreadIsByItsNameAsItIs() {
    ThreadCpu none = new ThreadCpu(Map.of());
    Map<String, Part> names =
        Map.of(
            "s3-op-12", Part.SERVER,
            "s3-io-1-2", Part.SERVER,
            "s3rdma-cq-fake0", Part.SERVER,
            "s3rdma-fake", Part.DEVICE,
            "s3rdma-log", Part.ACCESS_LOG,
            "C2 CompilerThre", Part.COMPILER,
            "G1 Main Marker", Part.COLLECTOR);
    names.forEach(
        (name, part) ->
            assertThat(new ThreadCpu(Map.of("1", new Used(name, 5))).since(none))
                .as(name)
                .containsEntry(part, 5L));
  }

  @Test
  void shouldFindTheThreadsOfThisProcess() throws IOException {
    ThreadCpu none = new ThreadCpu(Map.of());
    assertThat(ThreadCpu.now().since(none).values().stream().mapToLong(Long::longValue).sum())
        .isPositive();
  }
}
