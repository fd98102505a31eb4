package io.s3rdma.client.transport;

import java.util.concurrent.TimeUnit;

/**
 * Whether a rail failed lately: it is left out for a second, and twice as long each time it fails
 * again at once, up to a minute. Thread-safe.
 */
final class RailHealth {
  private static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int DOUBLINGS_MAX = 6;

  private int failures;
  private long outUntilNanos;

  synchronized void failed() {
    if (outNanos() > 0) {
      return; // one failure, met by several transfers
    }
    outUntilNanos = System.nanoTime() + (FIRST_NANOS << Math.min(failures, DOUBLINGS_MAX));
    failures++;
  }

  synchronized void worked() {
    failures = 0;
  }

  /** How much longer it is to be left out; 0 if it is not. */
  synchronized long outNanos() {
    return failures == 0 ? 0 : Math.max(0, outUntilNanos - System.nanoTime());
  }
}
