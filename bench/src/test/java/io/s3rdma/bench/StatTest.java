package io.s3rdma.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class StatTest {
  // As a kernel writes it; a name may hold spaces and brackets.
  private static final String WORKER =
      "23 (kworker/0:1) x) S 2 0 0 0 -1 69238880 0 0 0 0 7 1210 0 0 20 0 1 0 3 0 0 1\n";
  private static final String PROGRAM =
      "99 (java) S 1 99 99 0 -1 4194304 9 0 0 0 250 50 0 0 20 0 1 0 3 0 0 1\n";

  @Test
  void shouldTellUserAndSystemTimeTogether() {
    assertThat(Stat.parse(PROGRAM)).isEqualTo(new Stat(false, 3_000_000_000L));
  }

  @Test
  void shouldTellAKernelThreadWhateverItsName() {
    assertThat(Stat.parse(WORKER)).isEqualTo(new Stat(true, 12_170_000_000L));
  }

  @Test
  void shouldBeEmptyWhenTheProcessHasEnded() throws IOException {
    assertThat(Stat.read(Path.of("/proc/self"))).isPresent();
    assertThat(Stat.read(Path.of("/proc/0"))).isEmpty();
  }
}
