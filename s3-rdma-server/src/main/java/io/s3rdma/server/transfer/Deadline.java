package io.s3rdma.server.transfer;

import java.time.Duration;

/** A moment after which a transfer posts nothing more (P-4.8). Immutable. */
public final class Deadline {
  private final long atNanos;
  private final long patienceMillis;

  private Deadline(long atNanos, long patienceMillis) {
    this.atNanos = atNanos;
    this.patienceMillis = patienceMillis;
  }

  /** Counted from now. */
  public static Deadline in(long millis) {
    return since(System.nanoTime(), millis);
  }

  /** Counted from a reading of {@link System#nanoTime}, such as that of a request's receipt. */
  public static Deadline since(long nanos, long millis) {
    return new Deadline(nanos + Duration.ofMillis(millis).toNanos(), millis);
  }

  long remainingNanos() {
    return atNanos - System.nanoTime();
  }

  /** What is left of it, always positive. */
  long check(long done, long bytes) {
    long remaining = remainingNanos();
    if (remaining <= 0) {
      throw new TransferException(
          TransferException.Failure.DEADLINE,
          "%d of %d bytes had moved after %d ms".formatted(done, bytes, patienceMillis));
    }
    return remaining;
  }
}
