package io.s3rdma.server.transfer;

import io.s3rdma.rdma.Access;
import io.s3rdma.rdma.LocalKey;
import io.s3rdma.rdma.MemoryRegion;
import io.s3rdma.rdma.NearMemory;
import io.s3rdma.rdma.ProtectionDomain;
import java.lang.foreign.MemorySegment;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * The registered memory of a rail, cut into slots at start and sealed: nothing is allocated or
 * registered later.
 *
 * <p>Threads: workers take and give back; what is free, and whose turn it is, is {@link
 * FairSlots}'. Invariants: a slot is free or leased by exactly one transfer; a slot whose drain
 * failed is lost, never given out again, because a NIC may still touch it. No right for peers on
 * this memory (P-2.9). Close order: all transfers ended, region closed, then the memory; with lost
 * slots the memory stays, since the NIC does not see it go.
 */
final class StagingPool implements AutoCloseable {
  private final NearMemory memory;
  private final MemoryRegion region;
  private final StagingSlot[] slots;
  private final FairSlots free;
  private final AtomicInteger lost = new AtomicInteger();

  /**
   * Maps, registers and cuts up the memory.
   *
   * @param perKeyMax slots that one access key may hold
   * @param batchChunks chunks of hot memory sent in a slot's place at once, at most
   * @param node the NUMA node of the device, or empty
   */
  StagingPool(
      ProtectionDomain domain,
      int slotCount,
      int slotBytes,
      int perKeyMax,
      int batchChunks,
      OptionalInt node) {
    this.free = new FairSlots(perKeyMax);
    this.memory = NearMemory.map((long) slotCount * slotBytes, node);
    try {
      this.region = domain.register(memory.segment(), Set.of(Access.LOCAL_WRITE));
    } catch (RuntimeException e) {
      memory.close();
      throw e;
    }
    this.slots = new StagingSlot[slotCount];
    for (int i = 0; i < slotCount; i++) {
      MemorySegment part = memory.segment().asSlice((long) i * slotBytes, slotBytes);
      slots[i] = new StagingSlot(i, part, batchChunks);
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

  /** As {@link FairSlots#take}. */
  StagingSlot take(String owner, int waitersMax, long timeoutNanos, BooleanSupplier cancelled) {
    return free.take(owner, waitersMax, timeoutNanos, cancelled);
  }

  StagingSlot tryTake(String owner) {
    return free.tryTake(owner);
  }

  boolean shouldYield(String owner, int heldByTransfer) {
    return free.shouldYield(owner, heldByTransfer);
  }

  void giveBack(String owner, StagingSlot slot) {
    free.giveBack(owner, slot);
  }

  void lose(String owner, int count) {
    lost.addAndGet(count);
    free.lose(owner, count);
  }

  /** Whether a transfer waits for a slot; cheap, and of this moment. */
  boolean isContended() {
    return free.isContended();
  }

  int waiters() {
    return free.waiters();
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
    return slots.length - free.freeCount();
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
