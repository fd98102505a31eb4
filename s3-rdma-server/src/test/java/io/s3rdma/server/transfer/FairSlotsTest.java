package io.s3rdma.server.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.rdma.FakeDevice;
import io.s3rdma.server.transfer.TransferException.Failure;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who gets the next staging slot. */
final class FairSlotsTest {
  private static final String GREEDY = "GREEDY";
  private static final String OTHER = "OTHER";
  private static final long LONG = TimeUnit.SECONDS.toNanos(60);

  private record Got(String owner, StagingSlot slot) {}

  private final BlockingQueue<Got> got = new LinkedBlockingQueue<>();
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicBoolean cancelled = new AtomicBoolean();

  @AfterEach
  void endThreads() throws InterruptedException {
    for (Thread thread : threads) {
      thread.interrupt();
      thread.join();
    }
  }

  private static FairSlots slots(int count, int perKeyMax) {
    FairSlots slots = new FairSlots(perKeyMax);
    for (int i = 0; i < count; i++) {
      slots.add(new StagingSlot(i, Arena.ofAuto().allocate(64), 1));
    }
    return slots;
  }

  /** A transfer of the key that waits for its first slot; returns when it does. */
  private void waitsFor(FairSlots slots, String owner) {
    int before = slots.waiters();
    threads.add(
        Thread.ofPlatform()
            .start(
                () -> {
                  StagingSlot slot = slots.take(owner, 1_000, LONG, cancelled::get);
                  if (slot != null) {
                    got.add(new Got(owner, slot));
                  }
                }));
    FakeDevice.eventually(() -> slots.waiters() == before + 1, "the transfer waits");
  }

  private Got next() throws InterruptedException {
    Got next = got.poll(60, TimeUnit.SECONDS);
    assertThat(next).as("somebody was served").isNotNull();
    return next;
  }

  private static List<StagingSlot> takeAll(FairSlots slots, String owner) {
    List<StagingSlot> taken = new ArrayList<>();
    StagingSlot slot = slots.tryTake(owner);
    while (slot != null) {
      taken.add(slot);
      slot = slots.tryTake(owner);
    }
    return taken;
  }

  @Test
  void shouldLeaveSomeForOthersWhenOneKeyTakesAllItCan() {
    FairSlots slots = slots(64, 64);
    assertThat(takeAll(slots, GREEDY)).hasSize(52); // four times what is then free
    assertThat(takeAll(slots, OTHER)).as("and so on for the next").hasSize(10);
    assertThat(slots.tryTake("THIRD")).as("a key without any gets one").isNotNull();
  }

  @Test
  void shouldGiveTheVeryLastWhenThereAreFew() {
    for (int count = 1; count <= 4; count++) {
      FairSlots slots = slots(count, 64);
      assertThat(takeAll(slots, GREEDY)).hasSize(count);
    }
  }

  @Test
  void shouldObeyTheLimitWhenKeyHasOne() {
    FairSlots slots = slots(64, 3);
    assertThat(takeAll(slots, GREEDY)).hasSize(3);
    assertThat(takeAll(slots, OTHER)).hasSize(3);
  }

  @Test
  void shouldServeTheKeyWithLeastWhenAGreedyOneHasSixtyFourWaiting() throws Exception {
    FairSlots slots = slots(4, 64);
    List<StagingSlot> held = takeAll(slots, GREEDY);
    assertThat(held).hasSize(4);
    for (int i = 0; i < 64; i++) {
      waitsFor(slots, GREEDY);
    }
    waitsFor(slots, OTHER); // the last to come
    waitsFor(slots, OTHER);

    assertThat(slots.shouldYield(GREEDY, 1)).as("asked at its next chunk").isTrue();
    slots.giveBack(GREEDY, held.removeLast());
    assertThat(next().owner()).as("0 of 4 against 3 of 4").isEqualTo(OTHER);
    slots.giveBack(GREEDY, held.removeLast());
    assertThat(next().owner()).as("1 against 2").isEqualTo(OTHER);
    // Two each: from now on in turns.
    slots.giveBack(GREEDY, held.removeLast());
    assertThat(next().owner()).isEqualTo(GREEDY);
    assertThat(slots.waiters()).isEqualTo(63);
  }

  @Test
  void shouldServeInTurnsWhenKeysHoldTheSame() throws Exception {
    FairSlots slots = slots(1, 64);
    StagingSlot only = slots.tryTake("A");
    for (int i = 0; i < 3; i++) {
      waitsFor(slots, "A");
    }
    for (int i = 0; i < 3; i++) {
      waitsFor(slots, "B");
    }
    List<String> order = new ArrayList<>();
    slots.giveBack("A", only);
    for (int i = 0; i < 6; i++) {
      Got served = next();
      order.add(served.owner());
      slots.giveBack(served.owner(), served.slot());
    }
    assertThat(order).containsExactly("B", "A", "B", "A", "B", "A");
    assertThat(slots.freeCount()).isEqualTo(1);
  }

  @Test
  void shouldAskForAYieldOnlyWhenSomebodyHasLess() {
    FairSlots slots = slots(4, 64);
    assertThat(slots.tryTake("A")).isNotNull();
    assertThat(slots.tryTake("B")).isNotNull();
    assertThat(slots.tryTake("B")).isNotNull();
    assertThat(slots.tryTake("B")).isNotNull();
    assertThat(slots.shouldYield("B", 3)).as("nobody waits").isFalse();
    waitsFor(slots, "A");
    assertThat(slots.shouldYield("B", 3)).as("A has 1, B 3").isTrue();
    assertThat(slots.shouldYield("A", 1)).as("its own only one").isFalse();
    assertThat(slots.shouldYield("A", 2)).as("one of its two for the other").isTrue();
  }

  @Test
  void shouldRefuseWhenTooManyOfAKeyWait() {
    FairSlots slots = slots(1, 64);
    assertThat(slots.tryTake(OTHER)).isNotNull();
    waitsFor(slots, GREEDY);
    assertThatThrownBy(() -> slots.take(GREEDY, 1, LONG, () -> false))
        .hasMessageContaining("1 transfers waiting")
        .isInstanceOfSatisfying(
            TransferException.class, e -> assertThat(e.failure()).isEqualTo(Failure.LIMIT));
    waitsFor(slots, OTHER); // each key has its own queue
  }

  @Test
  void shouldLeaveTheQueueWhenCancelledOrLate() {
    FairSlots slots = slots(1, 64);
    StagingSlot only = slots.tryTake(OTHER);
    assertThat(slots.take(GREEDY, 9, 1_000_000, () -> false)).isNull();
    assertThat(slots.waiters()).isZero();
    waitsFor(slots, GREEDY);
    cancelled.set(true);
    java.util.concurrent.locks.LockSupport.unpark(threads.getLast());
    FakeDevice.eventually(() -> slots.waiters() == 0, "the cancelled one leaves");
    slots.giveBack(OTHER, only);
    assertThat(slots.freeCount()).isEqualTo(1);
    assertThat(got).isEmpty();
  }

  @Test
  void shouldForgetWhatWasLostWhenADrainDidNotEnd() {
    FairSlots slots = slots(2, 64);
    assertThat(takeAll(slots, GREEDY)).hasSize(2);
    slots.lose(GREEDY, 1);
    waitsFor(slots, OTHER);
    assertThat(slots.shouldYield(GREEDY, 1)).isTrue();
  }
}
