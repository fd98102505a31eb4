package io.s3rdma.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FabricPlanTest {
  private static final long MIB = 1 << 20;

  private static FabricPlan plan(int connections, long roundBytes) {
    return new FabricPlan(List.of(MIB, 64 * MIB), connections, MIB, 4, roundBytes, true);
  }

  @Test
  void shouldShareTheRoundsBytesOutWhenThereAreSeveralConnections() {
    assertThat(plan(1, 64 * MIB).transfers(16 * MIB)).isEqualTo(4);
    assertThat(plan(16, 64 * MIB).transfers(MIB)).isEqualTo(4);
    assertThat(plan(8, 256 * MIB).chunksEach()).isEqualTo(32);
  }

  @Test
  void shouldMoveOneObjectEachWhenTheRoundIsSmaller() {
    assertThat(plan(8, 64 * MIB).transfers(64 * MIB)).isEqualTo(1);
    assertThat(plan(128, 64 * MIB).chunksEach()).isEqualTo(5); // perftest takes no less
  }
}
