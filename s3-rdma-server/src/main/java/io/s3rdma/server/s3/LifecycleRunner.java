package io.s3rdma.server.s3;

import io.s3rdma.server.document.LifecycleDays;
import io.s3rdma.server.document.LifecycleRules;
import io.s3rdma.server.store.BucketMeta;
import io.s3rdma.server.store.ObjectStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the lifecycle rules of all buckets, pass by pass, on one thread of its own. A rule
 * that comes takes effect with the next pass; what is due meanwhile is still answered to clients.
 */
public final class LifecycleRunner implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LifecycleRunner.class);
  private static final Duration STOP_MAX = Duration.ofSeconds(10);

  private final ObjectStore store;
  private final LifecycleConfig config;
  private final InstantSource clock;
  private final LifecyclePace pace;
  private final LifecycleCounts counts = new LifecycleCounts();
  private final Thread thread = new Thread(this::loop, "lifecycle");

  public LifecycleRunner(ObjectStore store, LifecycleConfig config, InstantSource clock) {
    this.store = store;
    this.config = config;
    this.clock = clock;
    this.pace = new LifecyclePace(config.entriesPerSecondMax());
    thread.setDaemon(true);
  }

  /** Once; nothing where the interval is 0. */
  public void start() {
    if (config.intervalSeconds() > 0) {
      thread.start();
    }
  }

  public LifecycleCounts counts() {
    return counts;
  }

  /** Ends between two objects. Idempotent. */
  @Override
  public void close() {
    pace.stop();
    if (thread.isAlive()) {
      try {
        if (!thread.join(STOP_MAX)) {
          LOG.warn("the lifecycle pass does not end within {}; it is left behind", STOP_MAX);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void loop() {
    while (pace.pause(config.intervalSeconds(), TimeUnit.SECONDS)) {
      pass();
    }
  }

  /** One walk over all buckets that have rules. */
  void pass() {
    Instant now = clock.instant();
    long before = counts.actions();
    long looked = counts.looked().sum();
    int buckets = 0;
    try {
      for (BucketMeta bucket : store.listBuckets()) {
        if (!pace.isStopped() && sweep(bucket, now)) {
          buckets++;
        }
      }
    } catch (IOException e) {
      counts.failures().increment();
      LOG.warn("lifecycle: the buckets could not be listed; the next pass tries again", e);
    }
    counts.passes().increment();
    long done = counts.actions() - before;
    if (done > 0) {
      LOG.info(
          "lifecycle: removed {} of {} versions and uploads in {} buckets with rules, {} ms",
          done,
          counts.looked().sum() - looked,
          buckets,
          Duration.between(now, clock.instant()).toMillis());
    }
  }

  /** Whether the bucket has rules. */
  private boolean sweep(BucketMeta bucket, Instant now) {
    try {
      Optional<LifecycleRules> rules = LifecycleRules.of(bucket);
      if (rules.isPresent()) {
        LifecycleDays days = new LifecycleDays(config.daySeconds());
        new LifecycleSweep(store, bucket, rules.get(), now, days, pace, counts).run();
      }
      return rules.isPresent();
    } catch (IOException | RuntimeException e) {
      // One bucket's trouble must not keep the others' rules from being carried out.
      counts.failures().increment();
      LOG.warn("lifecycle of bucket {} failed; the next pass tries again", bucket.name(), e);
      return true;
    }
  }
}
