package io.s3rdma.server.transfer;

import io.s3rdma.rdma.Access;
import io.s3rdma.rdma.LocalKey;
import io.s3rdma.rdma.MemoryRegion;
import io.s3rdma.rdma.ProtectionDomain;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The registered memory of a rail, cut into slots at start and sealed: nothing is allocated or
 * registered later.
 *
 * <p>Threads: workers take and give back; the free list is the only shared state. Invariants: a
 * slot is in the free list or leased by exactly one transfer; a slot whose drain failed is lost,
 * never given out again, because a NIC may still touch it. No right for peers on this memory
 * (P-2.9). Close order: all transfers ended, region closed, then the arena; with lost slots the
 * arena stays, since the NIC does not see it close.
 */
final class StagingPool implements AutoCloseable {
  private final Arena arena;
  private final MemoryRegion region;
  private final StagingSlot[] slots;
  private final LinkedBlockingDeque<StagingSlot> free = new LinkedBlockingDeque<>();
  private final AtomicInteger lost = new AtomicInteger();

  @SuppressWarnings("MustBeClosedChecker") // closed in close(), after the region
  StagingPool(ProtectionDomain domain, int slotCount, int slotBytes) {
    this.arena = Arena.ofShared();
    MemorySegment memory;
    try {
      memory = arena.allocate((long) slotCount * slotBytes, 4096);
      this.region = domain.register(memory, Set.of(Access.LOCAL_WRITE));
    } catch (RuntimeException | OutOfMemoryError e) {
      arena.close();
      throw e;
    }
    this.slots = new StagingSlot[slotCount];
    for (int i = 0; i < slotCount; i++) {
      slots[i] = new StagingSlot(i, memory.asSlice((long) i * slotBytes, slotBytes));
      free.add(slots[i]);
    }
  }

  LocalKey localKey() {
    return region.localKey();
  }

  /** The slot of an id, or null if the index is none of ours. */
  StagingSlot slot(int index) {
    return index >= 0 && index < slots.length ? slots[index] : null;
  }

  /** Last given back, first taken: its cache lines are warm. Null if none is free in time. */
  StagingSlot take(long timeoutNanos) {
    try {
      return free.pollFirst(timeoutNanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  StagingSlot tryTake() {
    return free.pollFirst();
  }

  void giveBack(StagingSlot slot) {
    free.addFirst(slot);
  }

  void lose(int count) {
    lost.addAndGet(count);
  }

  int total() {
    return slots.length;
  }

  int inUse() {
    return slots.length - free.size();
  }

  int lost() {
    return lost.get();
  }

  @Override
  public void close() {
    region.close();
    if (lost.get() == 0 && arena.scope().isAlive()) {
      arena.close();
    }
  }
}
