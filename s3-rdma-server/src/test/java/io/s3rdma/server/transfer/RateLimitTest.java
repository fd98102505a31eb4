package io.s3rdma.server.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.rdma.FakeDevice;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** P-2.6: connects per second. */
final class RateLimitTest {
  @Test
  void shouldRefuseWhenBurstIsUsedUp() {
    long start = System.nanoTime();
    RateLimit limit = new RateLimit(5);
    long granted = IntStream.range(0, 100).filter(_ -> limit.tryAcquire()).count();
    double seconds = (System.nanoTime() - start) / 1e9;

    // What refills meanwhile depends on how fast this machine is.
    assertThat((double) granted).isBetween(5.0, 5 + 5 * seconds);
  }

  @Test
  void shouldGrantAgainWhenTimePassed() {
    RateLimit limit = new RateLimit(20);
    while (limit.tryAcquire()) {
      Thread.onSpinWait();
    }
    FakeDevice.eventually(limit::tryAcquire, "a token after a twentieth of a second");
  }

  @Test
  void shouldNeverGrantWhenRateIsZero() {
    assertThat(new RateLimit(0).tryAcquire()).isFalse();
  }

  @Test
  void shouldGrantNoMoreWhenManyThreadsAsk() throws Exception {
    long start = System.nanoTime();
    RateLimit limit = new RateLimit(50);
    long granted = 0;
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<Long>> counts =
          IntStream.range(0, 4)
              .mapToObj(
                  _ ->
                      threads.submit(
                          () -> IntStream.range(0, 500).filter(_ -> limit.tryAcquire()).count()))
              .toList();
      for (Future<Long> count : counts) {
        granted += count.get(60, TimeUnit.SECONDS);
      }
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    assertThat((double) granted).isBetween(50.0, 50 + 50 * seconds);
  }
}
