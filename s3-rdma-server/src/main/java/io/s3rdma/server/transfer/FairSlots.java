package io.s3rdma.server.transfer;

import io.s3rdma.server.transfer.TransferException.Failure;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * The free staging slots, and who gets the next one.
 *
 * <p>Rules. A free slot goes to the waiting access key that holds the fewest; among equals to the
 * one that was served longest ago. A key never holds more than {@value #SHARE_OF_FREE} times what
 * is then free, so that whoever keeps its slots for long (a silent peer) leaves some for others. A
 * running transfer is asked to give a slot up when a key waits that has less ({@link
 * #shouldYield}), so that a newcomer waits for chunks, not for transfers.
 *
 * <p>Threads: any; one short lock, taken at the start and the end of a transfer, and by chunk only
 * while somebody waits. Invariants: whoever is in a queue may not hold more or nothing is free.
 */
final class FairSlots {
  private static final int SHARE_OF_FREE = 4;

  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<StagingSlot> free = new ArrayDeque<>();
  private final Map<String, Share> shares = new HashMap<>();
  private final List<Share> waiting = new ArrayList<>();
  private final int perKeyMax;
  private long served;
  private volatile boolean contended;

  FairSlots(int perKeyMax) {
    this.perKeyMax = perKeyMax;
  }

  /** What one access key holds, and who of it waits. */
  private static final class Share {
    private final Deque<Waiter> waiters = new ArrayDeque<>();
    private int held;
    private long servedAt;
  }

  private static final class Waiter {
    private final Thread thread = Thread.currentThread();
    private volatile StagingSlot slot;
  }

  /** Last given back, first taken: its cache lines are warm. Null if there is none for this key. */
  StagingSlot tryTake(String owner) {
    lock.lock();
    try {
      Share share = shares.computeIfAbsent(owner, k -> new Share());
      StagingSlot slot = mayHoldMore(share) ? handOut(share) : null;
      forgetIfUnused(owner, share);
      return slot;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for a slot; null if the time passed, {@code cancelled} holds, or the thread was
   * interrupted.
   *
   * @param waitersMax with so many of this key waiting already: LIMIT
   * @param cancelled asked again whenever the thread is unparked
   */
  StagingSlot take(String owner, int waitersMax, long timeoutNanos, BooleanSupplier cancelled) {
    Share share;
    Waiter waiter;
    lock.lock();
    try {
      share = shares.computeIfAbsent(owner, k -> new Share());
      if (mayHoldMore(share)) {
        return handOut(share);
      }
      if (timeoutNanos <= 0 || share.waiters.size() >= waitersMax) {
        forgetIfUnused(owner, share);
        if (timeoutNanos > 0) {
          throw new TransferException(
              Failure.LIMIT,
              "this access key has " + waitersMax + " transfers waiting for staging memory");
        }
        return null;
      }
      waiter = new Waiter();
      enqueue(share, waiter);
    } finally {
      lock.unlock();
    }
    await(waiter, System.nanoTime() + timeoutNanos, cancelled);
    return waiter.slot != null ? waiter.slot : leave(owner, share, waiter);
  }

  private void await(Waiter waiter, long until, BooleanSupplier cancelled) {
    while (waiter.slot == null && !cancelled.getAsBoolean()) {
      long left = until - System.nanoTime();
      if (left <= 0 || Thread.currentThread().isInterrupted()) {
        return;
      }
      LockSupport.parkNanos(this, left);
    }
  }

  private void enqueue(Share share, Waiter waiter) {
    if (share.waiters.isEmpty()) {
      waiting.add(share);
    }
    share.waiters.add(waiter);
    contended = true;
  }

  /** Gives the waiting up; a slot that came in this very moment is taken. */
  private StagingSlot leave(String owner, Share share, Waiter waiter) {
    lock.lock();
    try {
      if (waiter.slot == null) {
        share.waiters.remove(waiter);
        stopWaitingIfEmpty(share);
        forgetIfUnused(owner, share);
      }
      return waiter.slot;
    } finally {
      lock.unlock();
    }
  }

  /** A slot that was never out. */
  void add(StagingSlot slot) {
    free.addLast(slot);
  }

  void giveBack(String owner, StagingSlot slot) {
    lock.lock();
    try {
      free.addFirst(slot);
      release(owner, 1);
    } finally {
      lock.unlock();
    }
  }

  /** Of slots that never come back. */
  void lose(String owner, int count) {
    lock.lock();
    try {
      release(owner, count);
    } finally {
      lock.unlock();
    }
  }

  private void release(String owner, int count) {
    Share share = shares.get(owner);
    share.held -= count;
    serveWaiters();
    forgetIfUnused(owner, share);
  }

  private void serveWaiters() {
    Share next = neediest();
    while (next != null) {
      Waiter waiter = next.waiters.remove();
      stopWaitingIfEmpty(next);
      waiter.slot = handOut(next);
      LockSupport.unpark(waiter.thread);
      next = neediest();
    }
  }

  /** Null if nothing is free or nobody who waits may hold more. */
  private Share neediest() {
    Share best = null;
    for (Share share : waiting) {
      boolean better =
          best == null
              || share.held < best.held
              || (share.held == best.held && share.servedAt < best.servedAt);
      if (better && mayHoldMore(share)) {
        best = share;
      }
    }
    return best;
  }

  private boolean mayHoldMore(Share share) {
    return !free.isEmpty()
        && share.held < perKeyMax
        && (share.held == 0 || share.held < SHARE_OF_FREE * free.size());
  }

  private StagingSlot handOut(Share share) {
    share.held++;
    share.servedAt = ++served;
    return free.removeFirst();
  }

  private void stopWaitingIfEmpty(Share share) {
    if (share.waiters.isEmpty()) {
      waiting.remove(share);
      contended = !waiting.isEmpty();
    }
  }

  private void forgetIfUnused(String owner, Share share) {
    if (share.held == 0 && share.waiters.isEmpty()) {
      shares.remove(owner, share);
    }
  }

  /**
   * Whether a transfer should give one of its slots back instead of using it again: a key waits
   * that has less, or another transfer of its own key has none while this one has several.
   *
   * @param heldByTransfer slots of the transfer that asks
   */
  boolean shouldYield(String owner, int heldByTransfer) {
    if (!contended) {
      return false;
    }
    lock.lock();
    try {
      Share mine = shares.get(owner);
      for (Share share : waiting) {
        boolean needier =
            share == mine
                ? heldByTransfer > 1
                : share.held < perKeyMax && (share.held == 0 || share.held + 1 < mine.held);
        if (needier) {
          return true;
        }
      }
      return false;
    } finally {
      lock.unlock();
    }
  }

  boolean isContended() {
    return contended;
  }

  /** Transfers that wait now. */
  int waiters() {
    lock.lock();
    try {
      return waiting.stream().mapToInt(share -> share.waiters.size()).sum();
    } finally {
      lock.unlock();
    }
  }

  int freeCount() {
    lock.lock();
    try {
      return free.size();
    } finally {
      lock.unlock();
    }
  }
}
