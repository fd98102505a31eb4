package io.s3rdma.server.transfer;

import io.s3rdma.rdma.ChunkList;
import io.s3rdma.rdma.CompletionStatus;
import io.s3rdma.rdma.RdmaException;
import io.s3rdma.rdma.wire.RemoteDescriptor;
import io.s3rdma.server.transfer.TransferException.Failure;
import io.s3rdma.server.transfer.Transfers.Side;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One transfer, on its worker's thread: keeps up to chunks-in-flight work requests open, refilling
 * each slot as it completes, so that store and fabric work at the same time.
 *
 * <p>Invariants: every leased slot is free, open in the NIC, or being filled or drained by this
 * thread; {@link #giveBack} returns only slots that the NIC cannot touch any more.
 */
final class TransferRun {
  private static final long SLOT_WAIT_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final Connection connection;
  private final String owner;
  private final StagingPool pool;
  private final ChunkList chunkList;
  private final RemoteDescriptor window;
  private final long bytes;
  private final Deadline deadline;
  private final Side side;
  private final TransferConfig config;
  private final InFlight inFlight;
  private final List<StagingSlot> idle = new ArrayList<>();
  private int leased;
  private boolean started;
  private boolean drained = true;
  private long nextOffset;
  private long completedBytes;
  private long chunks;
  private long remainingNanos;
  private boolean remainingIsFresh;

  TransferRun(
      Connection connection,
      StagingPool pool,
      ChunkList chunkList,
      RemoteDescriptor window,
      long bytes,
      Deadline deadline,
      Side side,
      TransferConfig config) {
    this.connection = connection;
    this.owner = connection.owner();
    this.pool = pool;
    this.chunkList = chunkList;
    this.window = window;
    this.bytes = bytes;
    this.deadline = deadline;
    this.side = side;
    this.config = config;
    this.inFlight = new InFlight(config.chunksInFlight());
  }

  InFlight inFlight() {
    return inFlight;
  }

  boolean started() {
    return started;
  }

  long completedBytes() {
    return completedBytes;
  }

  long chunks() {
    return chunks;
  }

  void move() {
    leaseFirst();
    while (completedBytes < bytes) {
      fill();
      if (inFlight.open() > 0) {
        take();
      } else {
        regain();
      }
    }
  }

  /** Nothing has moved yet, so a full pool is a decline and not a failure. */
  private void leaseFirst() {
    StagingSlot slot =
        pool.take(
            owner,
            config.peerLimits().transfersWaitingMax(),
            Math.min(SLOT_WAIT_NANOS, deadline.remainingNanos()),
            inFlight::isCancelled);
    if (slot == null) {
      if (inFlight.isCancelled()) {
        throw cancelled();
      }
      throw new TransferException(
          Failure.NO_STAGING_MEMORY,
          "all " + pool.total() + " staging slots, or this key's share, are in use");
    }
    leased++;
    idle.add(slot);
    started = true;
  }

  /** All slots went to others (see {@link #take}); waits for the next turn. */
  private void regain() {
    checkAlive();
    StagingSlot slot =
        pool.take(owner, Integer.MAX_VALUE, deadline.remainingNanos(), inFlight::isCancelled);
    if (slot != null) {
      leased++;
      idle.add(slot);
    } else if (Thread.interrupted()) {
      inFlight.cancel();
    }
  }

  private void fill() {
    while (nextOffset < bytes) {
      StagingSlot slot = idleSlot();
      if (slot == null) {
        return;
      }
      post(slot);
    }
  }

  /** A free slot of ours, or one more from the pool if it has any to spare. */
  private StagingSlot idleSlot() {
    if (!idle.isEmpty()) {
      return idle.removeLast();
    }
    if (leased >= config.chunksInFlight()) {
      return null;
    }
    StagingSlot extra = pool.tryTake(owner);
    if (extra != null) {
      leased++;
    }
    return extra;
  }

  private void post(StagingSlot slot) {
    boolean settled = true;
    chunkList.clear(); // what an earlier post was accepted of is nothing to this one
    try {
      int length = side.beforePost(slot, nextOffset, bytes - nextOffset);
      checkAlive(); // P-4.8: before every post, and behind the store, which may take its time
      slot.addTo(chunkList, slot.arm(inFlight, nextOffset, length), pool.localKey(), window);
      side.post(connection, chunkList);
      settled = false;
      inFlight.opened();
      nextOffset += length;
      chunks += chunkList.count();
    } catch (IOException e) {
      throw new TransferException(Failure.STORE, e.getMessage(), e);
    } catch (RdmaException e) {
      // Of several some may be in the NIC, and their last one, which would tell when, is not.
      settled = chunkList.accepted() == 0;
      drained &= settled;
      throw ofPost(e);
    } finally {
      if (settled) {
        slot.unarm();
        settle(slot);
      }
    }
  }

  private void checkAlive() {
    if (inFlight.isCancelled()) {
      throw cancelled();
    }
    remainingNanos = deadline.check(completedBytes, bytes);
    remainingIsFresh = true;
  }

  private static TransferException cancelled() {
    return new TransferException(Failure.CANCELLED, "the HTTP connection closed");
  }

  private void take() {
    // The clock may be a system call: it is asked where one will wait, and once for each wait.
    if (!remainingIsFresh && inFlight.isEmpty()) {
      checkAlive();
    }
    remainingIsFresh = false;
    long entry = inFlight.next(remainingNanos, true, wanted());
    if (entry < 0) {
      checkAlive();
      return;
    }
    StagingSlot slot = pool.slot(InFlight.slotOf(entry));
    CompletionStatus status = InFlight.statusOf(entry);
    settle(slot);
    if (status != CompletionStatus.SUCCESS) {
      throw ofCompletion(
          inFlight.causeOf(status),
          inFlight.vendorError(),
          "%d of %d bytes had moved over %s".formatted(completedBytes, bytes, connection));
    }
    try {
      side.afterCompletion(slot);
    } catch (IOException e) {
      throw new TransferException(Failure.STORE, e.getMessage(), e);
    }
    completedBytes += slot.lengthBytes();
    // Only what was used: else two could pass one slot to and fro and neither would move a byte.
    if (pool.shouldYield(owner, leased)) {
      idle.removeLast();
      leased--;
      pool.giveBack(owner, slot);
    }
  }

  /** How many completions there is a use for: the last ones of a GET come to nothing singly. */
  private int wanted() {
    boolean all = nextOffset == bytes && side.canWait() && !pool.isContended();
    return all ? inFlight.open() : 1;
  }

  /**
   * Takes every completion that is still to come; the queue pair is in ERROR. False if some never
   * came.
   */
  boolean drain(int timeoutMillis) {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    while (inFlight.open() > 0) {
      long left = until - System.nanoTime();
      long entry = inFlight.next(left, false, 1);
      if (entry >= 0) {
        settle(pool.slot(InFlight.slotOf(entry)));
      } else if (left <= 0) {
        drained = false;
        return false;
      }
    }
    return drained;
  }

  /** Nothing in the NIC names the slot, nor what it sent, any more. */
  private void settle(StagingSlot slot) {
    slot.settle();
    idle.add(slot);
  }

  /** Returns the slots; those that a NIC may still touch are lost for good. */
  void giveBack() {
    idle.forEach(slot -> pool.giveBack(owner, slot));
    if (!drained) {
      pool.lose(owner, leased - idle.size());
    }
    idle.clear();
  }

  private static TransferException ofCompletion(
      CompletionStatus status, int vendorError, String what) {
    Failure failure = status.isPeerMemoryFault() ? Failure.CLIENT_MEMORY : Failure.FABRIC;
    return new TransferException(
        failure, "%s: %s (%s, vendor 0x%x)".formatted(what, status.meaning(), status, vendorError));
  }

  private static TransferException ofPost(RdmaException e) {
    return new TransferException(Failure.FABRIC, e.getMessage(), e);
  }
}
