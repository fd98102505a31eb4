package io.s3rdma.client.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.client.transport.RailOrder.Facts;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which rail a transfer tries first. */
final class RailOrderTest {
  private static List<Integer> order(int turn, Facts... rails) {
    return RailOrder.of(List.of(rails), turn);
  }

  @Test
  void shouldTakeTheNearestWhateverIsInUse() {
    assertThat(order(0, new Facts(100, 0, 0), new Facts(4, 9, 0), new Facts(6, 0, 0)))
        .containsExactly(1, 2, 0);
  }

  @Test
  void shouldTakeTheLeastUsedOfEqualOnes() {
    assertThat(order(0, new Facts(4, 3, 0), new Facts(4, 1, 0), new Facts(4, 2, 0)))
        .containsExactly(1, 2, 0);
  }

  @Test
  void shouldTakeTurnsWhenAllIsEqual() {
    Facts same = new Facts(150, 0, 0);
    assertThat(order(0, same, same, same).getFirst()).isZero();
    assertThat(order(1, same, same, same).getFirst()).isEqualTo(1);
    assertThat(order(2, same, same, same).getFirst()).isEqualTo(2);
    assertThat(order(-1, same, same, same).getFirst()).as("after an overflow").isEqualTo(2);
  }

  @Test
  void shouldTryFailedOnesLastAndAllOfThem() {
    assertThat(order(0, new Facts(1, 0, 500), new Facts(9, 9, 0), new Facts(1, 0, 100)))
        .containsExactly(1, 2, 0);
  }

  @Test
  void shouldLeaveOutAFailedRailUntilItWorks() {
    RailHealth health = new RailHealth();
    assertThat(health.outNanos()).isZero();
    health.failed();
    health.failed(); // another transfer's view of the same failure
    assertThat(health.outNanos()).isBetween(1L, 1_000_000_000L);
    health.worked();
    assertThat(health.outNanos()).isZero();
  }
}
