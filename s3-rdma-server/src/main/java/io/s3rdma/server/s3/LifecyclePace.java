package io.s3rdma.server.s3;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Keeps a pass below its rate, and ends it. */
final class LifecyclePace {
  private final CountDownLatch stop = new CountDownLatch(1);
  private final long nanosPerEntry;

  LifecyclePace(int entriesPerSecondMax) {
    this.nanosPerEntry = TimeUnit.SECONDS.toNanos(1) / entriesPerSecondMax;
  }

  void stop() {
    stop.countDown();
  }

  boolean isStopped() {
    return stop.getCount() == 0;
  }

  /** Waits for what this many entries may take; false if stopped. */
  boolean pause(int entries) {
    return pause(entries * nanosPerEntry, TimeUnit.NANOSECONDS);
  }

  /** False if stopped. */
  boolean pause(long time, TimeUnit unit) {
    try {
      return !stop.await(time, unit);
    } catch (InterruptedException e) {
      stop();
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
