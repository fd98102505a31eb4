package io.s3rdma.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * kill -9 at any moment of mixed load: what was answered is there and whole, what was not is there
 * or not but never in part, and no file is left that nothing names. The property {@code
 * s3rdma.kill.rounds} sets how often.
 */
class KilledServerIT {
  private static final int ROUNDS = Integer.getInteger("s3rdma.kill.rounds", 4);
  private static final long SEED = Long.getLong("s3rdma.kill.seed", 20261129);
  private static final int WRITERS = 4;
  private static final int MILLIS_MAX = 1500;

  @TempDir Path directory;

  @Test
  void shouldKeepWhatItAnsweredWhenKilled() throws Exception {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(SEED);
    List<KeyWriter> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      writers.add(new KeyWriter("writer-" + i, random.nextLong()));
    }
    long operations = 0;
    for (int round = 0; round < ROUNDS; round++) {
      try (KillableServer server = KillableServer.start(directory)) {
        if (round == 0) {
          server.s3().createBucket(b -> b.bucket(KeyWriter.BUCKET));
        }
        verify(server, writers, round);
        operations += load(server, writers, random.nextInt(MILLIS_MAX));
      }
    }
    try (KillableServer server = KillableServer.start(directory)) {
      verify(server, writers, ROUNDS);
    }
    System.out.println(
        "kill -9: " + ROUNDS + " rounds, " + operations + " answered operations, seed " + SEED);
    assertThat(operations).isGreaterThan(ROUNDS);
  }

  /** Kills in the middle; the number of operations that were answered. */
  private static long load(KillableServer server, List<KeyWriter> writers, int millis)
      throws Exception {
    AtomicBoolean killed = new AtomicBoolean();
    long answered = 0;
    try (ExecutorService pool = Executors.newFixedThreadPool(WRITERS)) {
      List<Future<Long>> running = new ArrayList<>();
      for (KeyWriter writer : writers) {
        running.add(pool.submit(() -> writer.run(server.s3(), killed::get)));
      }
      TimeUnit.MILLISECONDS.sleep(100 + millis);
      killed.set(true);
      server.kill();
      for (Future<Long> writer : running) {
        answered += writer.get(1, TimeUnit.MINUTES);
      }
    }
    return answered;
  }

  private void verify(KillableServer server, List<KeyWriter> writers, int round) throws Exception {
    for (KeyWriter writer : writers) {
      assertThat(writer.verify(server.s3())).as("round %d of seed %d", round, SEED).isEmpty();
    }
    assertThat(StoredFiles.of(directory))
        .as("data files after round %d of seed %d", round, SEED)
        .isEqualTo(StoredFiles.named(server.s3(), KeyWriter.BUCKET));
  }
}
