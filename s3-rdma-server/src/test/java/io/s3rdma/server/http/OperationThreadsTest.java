package io.s3rdma.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OperationThreadsTest {
  private static final long ENOUGH_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final OperationThreads threads = new OperationThreads(3, 2);
  private final CountDownLatch gate = new CountDownLatch(1);

  @AfterEach
  void stop() {
    gate.countDown();
    threads.shutdownNow();
  }

  @Test
  void shouldUseTheThreadThatWasUsedLastWhenSeveralAreIdle() throws Exception {
    occupy(3);
    gate.countDown();
    awaitIdle(3);
    Set<String> used = new HashSet<>();

    for (int i = 0; i < 50; i++) {
      used.add(nameOfRunner());
      awaitIdle(3);
    }

    assertThat(used).hasSize(1);
  }

  @Test
  void shouldRefuseWhenThreadsAndQueueAreFull() throws Exception {
    occupy(3);
    List<Integer> order = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch ran = new CountDownLatch(2);
    for (int i = 0; i < 2; i++) {
      int number = i;
      threads.execute(
          () -> {
            order.add(number);
            ran.countDown();
          });
    }

    assertThatThrownBy(() -> threads.execute(() -> {}))
        .isInstanceOf(RejectedExecutionException.class);

    gate.countDown();
    assertThat(ran.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(order).containsExactlyInAnyOrder(0, 1);
  }

  @Test
  void shouldGoOnWhenATaskFails() throws Exception {
    threads.execute(
        () -> {
          throw new IllegalStateException("deliberate");
        });

    assertThat(nameOfRunner()).startsWith("s3-op-");
  }

  @Test
  void shouldLoseNothingWhenManySubmitAtOnce() throws Exception {
    OperationThreads wide = new OperationThreads(4, 100_000);
    AtomicInteger ran = new AtomicInteger();
    List<Thread> submitters = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      submitters.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int j = 0; j < 5_000; j++) {
                      wide.execute(ran::incrementAndGet);
                    }
                  }));
    }
    for (Thread submitter : submitters) {
      submitter.join();
    }

    wide.shutdown();

    assertThat(wide.awaitTermination(ENOUGH_NANOS)).isTrue();
    assertThat(ran).hasValue(20_000);
  }

  @Test
  void shouldDoWhatWaitsAndThenEndWhenShutDown() throws Exception {
    occupy(3);
    CountDownLatch ran = new CountDownLatch(1);
    threads.execute(ran::countDown);
    threads.shutdown();

    assertThatThrownBy(() -> threads.execute(() -> {}))
        .isInstanceOf(RejectedExecutionException.class);
    assertThat(threads.awaitTermination(1)).isFalse();
    gate.countDown();

    assertThat(threads.awaitTermination(ENOUGH_NANOS)).isTrue();
    assertThat(ran.getCount()).isZero();
  }

  @Test
  void shouldInterruptWhatRunsWhenShutDownNow() throws Exception {
    CountDownLatch interrupted = new CountDownLatch(1);
    CountDownLatch runs = new CountDownLatch(1);
    threads.execute(
        () -> {
          runs.countDown();
          try {
            gate.await();
          } catch (InterruptedException e) {
            interrupted.countDown();
          }
        });
    assertThat(runs.await(20, TimeUnit.SECONDS)).isTrue();

    threads.shutdownNow();

    assertThat(interrupted.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(threads.awaitTermination(ENOUGH_NANOS)).isTrue();
  }

  /** Has so many threads wait at the gate. */
  private void occupy(int count) throws InterruptedException {
    CountDownLatch running = new CountDownLatch(count);
    for (int i = 0; i < count; i++) {
      threads.execute(
          () -> {
            running.countDown();
            try {
              gate.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
    }
    assertThat(running.await(20, TimeUnit.SECONDS)).isTrue();
  }

  private void awaitIdle(int count) throws InterruptedException {
    long until = System.nanoTime() + ENOUGH_NANOS;
    while (threads.idle() < count && System.nanoTime() < until) {
      Thread.sleep(1);
    }
    assertThat(threads.idle()).isEqualTo(count);
  }

  private String nameOfRunner() throws InterruptedException {
    SynchronousQueue<String> name = new SynchronousQueue<>();
    threads.execute(
        () -> {
          try {
            name.put(Thread.currentThread().getName());
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    return name.poll(20, TimeUnit.SECONDS);
  }
}
