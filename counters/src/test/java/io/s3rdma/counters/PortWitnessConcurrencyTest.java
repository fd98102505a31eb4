package io.s3rdma.counters;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.counters.PortEvidence.Finding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many transfers at once on a port that is cached as the kernel does it. Honest transfers are never
 * blamed, whatever the interleaving; one missing packet is found by the last close at the latest.
 */
final class PortWitnessConcurrencyTest {
  private static final int THREADS = 8;
  private static final long SEED = 0x706f7274L;

  /** A counter with the kernel's cache in real time; freshness as the reader computes it. */
  private static final class CachedPort implements PortWitness.Source {
    private final AtomicLong packets = new AtomicLong(12_345);
    private final long lifespanNanos;
    private long cachedAt;
    private long cached;
    private boolean filled;

    CachedPort(long lifespanMillis) {
      this.lifespanNanos = lifespanMillis * 1_000_000;
    }

    @Override
    public synchronized OptionalLong read(Counter counter) {
      long now = System.nanoTime();
      if (!filled || now - cachedAt >= lifespanNanos) {
        cached = packets.get();
        cachedAt = now;
        filled = true;
      }
      return OptionalLong.of(cached);
    }

    @Override
    public Duration freshAfter(Counter counter) {
      return Duration.ofNanos(lifespanNanos);
    }
  }

  private static void sleep(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 3})
  void shouldNeverBlameWhenAllTransfersAreHonest(long lifespanMillis) throws Exception {
    CachedPort port = new CachedPort(lifespanMillis);
    PortWitness witness = new PortWitness(port, PortWitnessConcurrencyTest::sleep);
    int transfers = lifespanMillis == 0 ? 20_000 : 150;

    List<Finding> findings =
        inParallel(
            thread -> {
              Random random = new Random(SEED + thread);
              List<Finding> mine = new ArrayList<>();
              for (int i = 0; i < transfers; i++) {
                transfer(port, witness, random, mine);
              }
              return mine;
            });

    assertThat(findings).as("seed %d", SEED).isNotEmpty().containsOnly(Finding.HOLDS);
    assertThat(witness.contradictions()).isZero();
  }

  private static void transfer(
      CachedPort port, PortWitness witness, Random random, List<Finding> findings) {
    int packets = random.nextInt(300);
    PortWitness.Bracket bracket = witness.open(Direction.WRITE, packets, packets * 4096L);
    int half = packets / 2;
    port.packets.addAndGet(half);
    if (random.nextInt(10) == 0) { // fails half way
      bracket.abandon();
      return;
    }
    port.packets.addAndGet(packets - half);
    findings.add(bracket.close().finding());
  }

  @RepeatedTest(20)
  void shouldContradictOnceWhenOnePacketIsMissing() throws Exception {
    CachedPort port = new CachedPort(0);
    PortWitness witness = new PortWitness(port, PortWitnessConcurrencyTest::sleep);

    List<Finding> findings =
        inParallel(
            thread -> {
              Random random = new Random(SEED + thread);
              List<Finding> mine = new ArrayList<>();
              for (int i = 0; i < 50; i++) {
                int packets = 1 + random.nextInt(300);
                boolean lie = thread == 3 && i == 25;
                PortWitness.Bracket bracket =
                    witness.open(Direction.WRITE, packets, packets * 4096L);
                port.packets.addAndGet(lie ? packets - 1 : packets);
                mine.add(bracket.close().finding());
              }
              return mine;
            });

    assertThat(findings).contains(Finding.BELOW);
    assertThat(witness.contradictions()).isEqualTo(1);
    PortWitness.Bracket after = witness.open(Direction.WRITE, 7, 7);
    port.packets.addAndGet(7);
    assertThat(after.close().finding()).isEqualTo(Finding.HOLDS);
  }

  /** What one thread does. */
  private interface Work {
    List<Finding> run(int thread) throws Exception;
  }

  private static List<Finding> inParallel(Work work) throws Exception {
    List<Callable<List<Finding>>> calls = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int thread = i;
      calls.add(() -> work.run(thread));
    }
    List<Finding> all = new ArrayList<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(THREADS)) {
      for (Future<List<Finding>> future : pool.invokeAll(calls)) {
        all.addAll(future.get());
      }
    }
    return all;
  }
}
