package io.s3rdma.server.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.rdma.CompletionStatus;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ring between the completion thread and a transfer's worker. */
final class InFlightTest {
  private static final long LONG = TimeUnit.SECONDS.toNanos(60);

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 8, 63, 64})
  void shouldKeepOrderWhenRingWraps(int capacity) {
    InFlight inFlight = new InFlight(capacity);
    int next = 0;
    for (int round = 0; round < 50; round++) {
      for (int i = 0; i < capacity; i++) {
        inFlight.opened();
        inFlight.completed(round * capacity + i, CompletionStatus.SUCCESS, 0, false);
      }
      assertThat(inFlight.open()).isEqualTo(capacity);
      for (int i = 0; i < capacity; i++) {
        long entry = inFlight.next(LONG, true, 1);
        assertThat(InFlight.slotOf(entry)).isEqualTo(next++);
        assertThat(InFlight.statusOf(entry)).isEqualTo(CompletionStatus.SUCCESS);
      }
      assertThat(inFlight.open()).isZero();
    }
  }

  @Test
  void shouldCarryEveryStatusWhenCompleted() {
    InFlight inFlight = new InFlight(1);
    for (CompletionStatus status : CompletionStatus.values()) {
      inFlight.opened();
      inFlight.completed(31_999, status, 0, false);
      long entry = inFlight.next(LONG, true, 1);
      assertThat(entry).isNotNegative();
      assertThat(InFlight.statusOf(entry)).isEqualTo(status);
      assertThat(InFlight.slotOf(entry)).isEqualTo(31_999);
    }
  }

  @Test
  void shouldKeepFirstCauseWhenFlushedAfterwards() {
    InFlight inFlight = new InFlight(4);
    inFlight.completed(0, CompletionStatus.REMOTE_ACCESS, 0x88, false);
    inFlight.completed(1, CompletionStatus.FLUSHED, 0xf9, false);
    inFlight.completed(2, CompletionStatus.SUCCESS, 0, false);

    assertThat(inFlight.vendorError()).isEqualTo(0x88);
  }

  @Test
  void shouldTellTheCauseWhenAnEarlierOneOfTheSlotFailed() {
    InFlight inFlight = new InFlight(4);
    assertThat(inFlight.causeOf(CompletionStatus.FLUSHED)).isEqualTo(CompletionStatus.FLUSHED);
    inFlight.failedEarly(CompletionStatus.FLUSHED, 0xf9);
    inFlight.failedEarly(CompletionStatus.REMOTE_ACCESS, 0x88);
    inFlight.failedEarly(CompletionStatus.RETRY_EXCEEDED, 0x81);

    assertThat(inFlight.isEmpty()).as("the slot's last one is still to come").isTrue();
    assertThat(inFlight.vendorError()).isEqualTo(0x88);
    CompletionStatus access = CompletionStatus.REMOTE_ACCESS;
    assertThat(inFlight.causeOf(CompletionStatus.FLUSHED)).isEqualTo(access);
    assertThat(inFlight.causeOf(CompletionStatus.RETRY_EXCEEDED))
        .isEqualTo(CompletionStatus.RETRY_EXCEEDED);
  }

  @Test
  void shouldReturnWhenTimeIsOver() {
    InFlight inFlight = new InFlight(4);
    inFlight.opened();

    assertThat(inFlight.next(1_000_000, true, 1)).isEqualTo(-1);
    assertThat(inFlight.next(-5, true, 1)).isEqualTo(-1);
    assertThat(inFlight.open()).isEqualTo(1);
  }

  @Test
  void shouldDeliverWhenTimeIsOverButCompletionIsThere() {
    InFlight inFlight = new InFlight(4);
    inFlight.opened();
    inFlight.completed(3, CompletionStatus.SUCCESS, 0, false);

    assertThat(InFlight.slotOf(inFlight.next(-5, true, 1))).isEqualTo(3);
  }

  @Test
  void shouldWakeWhenCancelledFromAnotherThread() throws Exception {
    CompletableFuture<InFlight> made = new CompletableFuture<>();
    CompletableFuture<Long> result =
        CompletableFuture.supplyAsync(
            () -> {
              InFlight inFlight = new InFlight(4);
              made.complete(inFlight);
              long entry;
              do {
                entry = inFlight.next(LONG, true, 1);
              } while (entry < 0 && !inFlight.isCancelled());
              return entry;
            });
    InFlight inFlight = made.get(20, TimeUnit.SECONDS);
    inFlight.cancel();

    assertThat(result.get(20, TimeUnit.SECONDS)).isEqualTo(-1);
    assertThat(inFlight.isCancelled()).isTrue();
  }

  @Test
  void shouldWakeWhenCompletedFromAnotherThread() throws Exception {
    InFlight inFlight = new InFlight(4);
    inFlight.opened();
    Thread thread =
        Thread.ofPlatform().start(() -> inFlight.completed(2, CompletionStatus.SUCCESS, 0, false));

    assertThat(InFlight.slotOf(drain(inFlight, LONG))).isEqualTo(2);
    thread.join();
  }

  @Test
  void shouldSleepOnWhenNotAllThatAreWantedAreThere() throws Exception {
    Waiting two = waitForTwo();

    two.inFlight.completed(1, CompletionStatus.SUCCESS, 0, false);
    assertThatThrownBy(() -> two.taken.get(30, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    two.inFlight.completed(2, CompletionStatus.SUCCESS, 0, false);
    assertThat(InFlight.slotOf(two.taken.get(20, TimeUnit.SECONDS))).isEqualTo(1);
  }

  @Test
  void shouldWakeAtOnceWhenSlotsAreScarce() throws Exception {
    Waiting two = waitForTwo();

    two.inFlight.completed(1, CompletionStatus.SUCCESS, 0, true);
    assertThat(InFlight.slotOf(two.taken.get(20, TimeUnit.SECONDS))).isEqualTo(1);
  }

  @Test
  void shouldWakeAtOnceWhenOneOfThoseWantedFails() throws Exception {
    Waiting two = waitForTwo();

    two.inFlight.completed(1, CompletionStatus.REMOTE_ACCESS, 0x88, false);
    assertThat(InFlight.statusOf(two.taken.get(20, TimeUnit.SECONDS)))
        .isEqualTo(CompletionStatus.REMOTE_ACCESS);
  }

  private record Waiting(InFlight inFlight, CompletableFuture<Long> taken) {}

  /** A worker that sleeps until two are there. */
  private static Waiting waitForTwo() throws Exception {
    CompletableFuture<InFlight> made = new CompletableFuture<>();
    CompletableFuture<Long> taken = new CompletableFuture<>();
    Thread worker =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  InFlight inFlight = new InFlight(4);
                  inFlight.opened();
                  inFlight.opened();
                  made.complete(inFlight);
                  taken.complete(inFlight.next(LONG, true, 2));
                });
    InFlight inFlight = made.get(20, TimeUnit.SECONDS);
    while (worker.getState() != Thread.State.TIMED_WAITING) {
      Thread.sleep(1);
    }
    return new Waiting(inFlight, taken);
  }

  @Test
  void shouldWaitOnWhenCancelIsNotHeeded() { // a drain must not end early
    InFlight inFlight = new InFlight(4);
    inFlight.opened();
    inFlight.cancel();
    long start = System.nanoTime();

    assertThat(drain(inFlight, 20_000_000)).isEqualTo(-1);
    assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(20_000_000);
    inFlight.completed(1, CompletionStatus.FLUSHED, 0, false);
    assertThat(InFlight.slotOf(drain(inFlight, LONG))).isEqualTo(1);
  }

  @Test
  void shouldCountAsCancelWhenWorkerIsInterrupted() {
    InFlight inFlight = new InFlight(4);
    inFlight.opened();
    Thread.currentThread().interrupt();

    assertThat(inFlight.next(LONG, true, 1)).isEqualTo(-1);
    assertThat(inFlight.isCancelled()).isTrue();
    Thread.interrupted(); // whatever it is now, other tests must not see it
  }

  @Test
  void shouldStillDrainWhenWorkerIsInterrupted() {
    InFlight inFlight = new InFlight(4);
    inFlight.opened();
    Thread.currentThread().interrupt();
    long start = System.nanoTime();

    assertThat(drain(inFlight, 20_000_000)).isEqualTo(-1);
    assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(20_000_000);
    Thread.interrupted();
  }

  /** As a drain waits: on and on until the time is over. */
  private static long drain(InFlight inFlight, long nanos) {
    long until = System.nanoTime() + nanos;
    long entry = -1;
    while (entry < 0 && System.nanoTime() < until) {
      entry = inFlight.next(until - System.nanoTime(), false, 1);
    }
    return entry;
  }
}
