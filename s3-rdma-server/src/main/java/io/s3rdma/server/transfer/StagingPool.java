package io.s3rdma.server.transfer;

import io.s3rdma.rdma.Access;
import io.s3rdma.rdma.LocalKey;
import io.s3rdma.rdma.MemoryRegion;
import io.s3rdma.rdma.NearMemory;
import io.s3rdma.rdma.ProtectionDomain;
import java.util.OptionalInt;
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
 * (P-2.9). Close order: all transfers ended, region closed, then the memory; with lost slots the
 * memory stays, since the NIC does not see it go.
 */
final class StagingPool implements AutoCloseable {
  private final NearMemory memory;
  private final MemoryRegion region;
  private final StagingSlot[] slots;
  private final LinkedBlockingDeque<StagingSlot> free = new LinkedBlockingDeque<>();
  private final AtomicInteger lost = new AtomicInteger();

  /**
   * Maps, registers and cuts up the memory.
   *
   * @param node the NUMA node of the device, or empty
   */
  StagingPool(ProtectionDomain domain, int slotCount, int slotBytes, OptionalInt node) {
    this.memory = NearMemory.map((long) slotCount * slotBytes, node);
    try {
      this.region = domain.register(memory.segment(), Set.of(Access.LOCAL_WRITE));
    } catch (RuntimeException e) {
      memory.close();
      throw e;
    }
    this.slots = new StagingSlot[slotCount];
    for (int i = 0; i < slotCount; i++) {
      slots[i] = new StagingSlot(i, memory.segment().asSlice((long) i * slotBytes, slotBytes));
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

  /** The memory's pages and NUMA node, for people. */
  String describe() {
    return memory.pages()
        + (memory.node().isPresent() ? " on node " + memory.node().getAsInt() : "");
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
    if (lost.get() == 0) {
      memory.close();
    }
  }
}
