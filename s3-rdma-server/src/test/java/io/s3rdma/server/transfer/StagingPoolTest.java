package io.s3rdma.server.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.rdma.LiveObjects;
import io.s3rdma.rdma.ProtectionDomain;
import io.s3rdma.rdma.RailFinder;
import io.s3rdma.rdma.Rdma;
import io.s3rdma.rdma.RdmaDevice;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The sealed memory of a rail. */
@Tag("device")
final class StagingPoolTest {
  private static final String KEY = "KEY";

  private LiveObjects before;
  private RdmaDevice device;
  private ProtectionDomain domain;

  @BeforeEach
  void open() {
    before = Rdma.liveObjects();
    device =
        Rdma.open(
            RailFinder.find(Optional.empty(), 1, Optional.empty()).rail().orElseThrow().device());
    domain = device.allocateProtectionDomain();
  }

  @AfterEach
  void leavesNothingAlive() {
    domain.close();
    device.close();
    assertThat(Rdma.liveObjects()).isEqualTo(before);
  }

  private static StagingSlot take(StagingPool pool, long timeoutNanos) {
    return pool.take(KEY, 8, timeoutNanos, () -> false);
  }

  @Test
  void shouldGiveDistinctSlotsWhenTaken() {
    try (StagingPool pool = new StagingPool(domain, 3, 4096, 3, 1, OptionalInt.empty())) {
      Set<Integer> indexes = new HashSet<>();
      Set<Long> addresses = new HashSet<>();
      for (int i = 0; i < 3; i++) {
        StagingSlot slot = pool.tryTake(KEY);
        indexes.add(slot.index());
        addresses.add(slot.address());
        assertThat(pool.slot(slot.index())).isSameAs(slot);
        assertThat(slot.address() % 4096).isZero();
      }
      assertThat(indexes).containsExactlyInAnyOrder(0, 1, 2);
      assertThat(addresses).hasSize(3);
      assertThat(pool.inUse()).isEqualTo(3);
      assertThat(pool.tryTake(KEY)).isNull();
      assertThat(take(pool, TimeUnit.MILLISECONDS.toNanos(1))).isNull();
    }
  }

  @Test
  void shouldGiveLastReturnedFirstWhenTakenAgain() {
    try (StagingPool pool = new StagingPool(domain, 3, 4096, 3, 1, OptionalInt.empty())) {
      StagingSlot first = pool.tryTake(KEY);
      StagingSlot second = pool.tryTake(KEY);
      pool.giveBack(KEY, first);
      pool.giveBack(KEY, second);

      assertThat(pool.tryTake(KEY)).isSameAs(second);
      assertThat(pool.tryTake(KEY)).isSameAs(first);
    }
  }

  @Test
  void shouldWaitWhenSlotIsReturnedLater() throws Exception {
    try (StagingPool pool = new StagingPool(domain, 1, 4096, 1, 1, OptionalInt.empty())) {
      StagingSlot only = pool.tryTake(KEY);
      Thread thread = Thread.ofPlatform().start(() -> pool.giveBack(KEY, only));

      assertThat(take(pool, TimeUnit.SECONDS.toNanos(30))).isSameAs(only);
      thread.join();
    }
  }

  @Test
  void shouldKeepInterruptWhenInterruptedWhileWaiting() {
    try (StagingPool pool = new StagingPool(domain, 1, 4096, 1, 1, OptionalInt.empty())) {
      StagingSlot only = pool.tryTake(KEY);
      Thread.currentThread().interrupt();

      assertThat(take(pool, TimeUnit.SECONDS.toNanos(30))).isNull();
      assertThat(Thread.interrupted()).isTrue();
      pool.giveBack(KEY, only);
    }
  }

  @Test
  void shouldAnswerNullWhenIndexIsForeign() {
    try (StagingPool pool = new StagingPool(domain, 2, 4096, 2, 1, OptionalInt.empty())) {
      assertThat(pool.slot(2)).isNull();
      assertThat(pool.slot(-1)).isNull();
      assertThat(pool.slot(Integer.MIN_VALUE)).isNull();
    }
  }

  @Test
  void shouldKeepMemoryWhenSlotsAreLost() {
    StagingPool pool = new StagingPool(domain, 2, 4096, 2, 1, OptionalInt.empty());
    StagingSlot lost = pool.tryTake(KEY);
    pool.lose(KEY, 1);
    pool.close();

    assertThat(pool.lost()).isEqualTo(1);
    assertThat(pool.inUse()).isEqualTo(1);
    lost.buffer(1).put((byte) 1); // a NIC may still do this
  }

  @Test
  void shouldFreeMemoryWhenNoSlotIsLost() {
    StagingPool pool = new StagingPool(domain, 2, 4096, 2, 1, OptionalInt.empty());
    StagingSlot slot = pool.tryTake(KEY);
    pool.giveBack(KEY, slot);
    pool.close();

    assertThatThrownBy(() -> slot.buffer(1).put((byte) 1))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldFitOneUseOnlyWhenSlotIsArmed() { // rdma-practice 6.9
    try (StagingPool pool = new StagingPool(domain, 1, 4096, 1, 1, OptionalInt.empty())) {
      StagingSlot slot = pool.tryTake(KEY);
      InFlight first = new InFlight(1);
      int generation = WorkRequestId.generation(slot.arm(first, 0, 100));
      assertThat(slot.disarm(generation - 1)).as("an earlier use").isNull();
      assertThat(slot.disarm(generation)).isSameAs(first);
      assertThat(slot.disarm(generation)).as("once").isNull();

      InFlight second = new InFlight(1);
      long id = slot.arm(second, 4096, 50);
      assertThat(WorkRequestId.slot(id)).isEqualTo(slot.index());
      assertThat(slot.disarm(generation)).as("a stray of the first use").isNull();
      assertThat(slot.offset()).isEqualTo(4096);
      assertThat(slot.lengthBytes()).isEqualTo(50);
      assertThat(slot.buffer(50).remaining()).isEqualTo(50);
      slot.unarm();
      assertThat(slot.disarm(WorkRequestId.generation(id))).as("taken back").isNull();
    }
  }
}
