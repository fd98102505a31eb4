package io.s3rdma.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FabricBarsTest {
  private static final long MIB = 1 << 20;

  @Test
  void shouldAskMoreOfLargeObjectsWhenThereAreManyConnections() {
    assertThat(FabricBars.get(16 * MIB, 1)).isEqualTo(0.8);
    assertThat(FabricBars.get(16 * MIB, 8)).isEqualTo(0.95);
    assertThat(FabricBars.put(64 * MIB, 8)).isEqualTo(0.95);
    assertThat(FabricBars.putCommit(64 * MIB, 8)).isEqualTo(0.85);
    assertThat(FabricBars.putCommit(64 * MIB, 1)).isZero();
  }

  @Test
  void shouldHoldSmallObjectsToTheirBarWhenThereAreSixteenConnections() {
    assertThat(FabricBars.get(MIB, 8)).isZero();
    assertThat(FabricBars.get(MIB, 16)).isEqualTo(0.8);
    assertThat(FabricBars.get(MIB / 2, 16)).isZero();
    assertThat(FabricBars.put(MIB, 16)).isZero();
  }
}
