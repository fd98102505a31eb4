package io.s3rdma.server.transfer;

import io.s3rdma.rdma.CompletionStatus;
import java.util.concurrent.locks.LockSupport;

/**
 * The completions of one transfer on their way from the completion thread to the worker.
 *
 * <p>Threads: exactly one producer (the rail's completion thread, {@link #completed}) and one
 * consumer (the worker that created this object); {@link #cancel} from any thread. Invariants: at
 * most {@code capacity} work requests are open, so the ring cannot overflow; entries are published
 * by the volatile tail. No lock and no allocation per completion.
 *
 * <p>The worker says how many completions it has a use for, and sleeps until they are there: it
 * stores {@link #wakeAt}, then reads the tail; the completion thread stores the tail, then reads
 * {@code wakeAt}; so one of the two sees the other. A failure wakes at once, and so does every
 * completion while another transfer waits for a slot.
 */
final class InFlight {
  private final Thread worker = Thread.currentThread();
  private final long[] ring;
  private volatile int tail;
  private volatile int wakeAt;
  private int head;
  private int open;
  private volatile boolean cancelled;
  private volatile int vendorError;
  private volatile CompletionStatus early;

  InFlight(int capacity) {
    this.ring = new long[Integer.highestOneBit(Math.max(1, capacity - 1)) * 2];
  }

  // ---- completion thread ----

  /**
   * A slot is done.
   *
   * @param scarce others wait for slots: the worker must see to this one now
   */
  void completed(int slot, CompletionStatus status, int vendor, boolean scarce) {
    if (isCause(status)) {
      vendorError = vendor;
    }
    int at = tail;
    ring[at & (ring.length - 1)] = (long) status.code() << 32 | slot;
    tail = at + 1;
    if (scarce || at + 1 - wakeAt >= 0 || status != CompletionStatus.SUCCESS) {
      LockSupport.unpark(worker);
    }
  }

  /** A work request failed that does not complete its slot; one that does will be flushed. */
  void failedEarly(CompletionStatus status, int vendor) {
    if (isCause(status) && early == null) {
      vendorError = vendor;
      early = status;
    }
  }

  private static boolean isCause(CompletionStatus status) {
    return status != CompletionStatus.SUCCESS && status != CompletionStatus.FLUSHED;
  }

  // ---- any thread ----

  void cancel() {
    cancelled = true;
    LockSupport.unpark(worker);
  }

  // ---- worker ----

  boolean isCancelled() {
    return cancelled;
  }

  void opened() {
    open++;
  }

  /** Whether {@link #next} would have to wait. */
  boolean isEmpty() {
    return tail == head;
  }

  /** Work requests posted and not yet taken by {@link #next}. */
  int open() {
    return open;
  }

  int vendorError() {
    return vendorError;
  }

  /**
   * The next completion, waiting for it once: who gets none looks at the clock, which may be a
   * system call, and not this method each time.
   *
   * @param wanted so many are waited for, if there is none; 1 to {@link #open}
   * @return slot and status, or -1 if the time passed, the transfer was cancelled while {@code
   *     heedCancel}, or for no reason
   */
  long next(long timeoutNanos, boolean heedCancel, int wanted) {
    if (isEmpty()) {
      if (timeoutNanos <= 0 || (heedCancel && cancelled)) {
        return -1;
      }
      sleep(timeoutNanos, wanted);
      if (isEmpty()) {
        return -1;
      }
    }
    long entry = ring[head & (ring.length - 1)];
    head++;
    open--;
    return entry;
  }

  private void sleep(long timeoutNanos, int wanted) {
    wakeAt = head + wanted;
    if (!isEmpty()) {
      return; // what came before the store may have looked at the old value
    }
    LockSupport.parkNanos(this, timeoutNanos);
    if (Thread.interrupted()) {
      cancelled = true;
    }
  }

  /** Why the transfer failed, where the status of {@link #next} may be only what came of it. */
  CompletionStatus causeOf(CompletionStatus status) {
    CompletionStatus before = early;
    return before == null || isCause(status) ? status : before;
  }

  static int slotOf(long entry) {
    return (int) entry;
  }

  static CompletionStatus statusOf(long entry) {
    return CompletionStatus.of((int) (entry >>> 32));
  }
}
