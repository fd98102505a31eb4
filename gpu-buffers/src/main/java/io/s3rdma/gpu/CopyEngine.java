package io.s3rdma.gpu;

import io.s3rdma.gpu.PinnedSlots.Direction;
import io.s3rdma.gpu.PinnedSlots.Slot;
import io.s3rdma.rdma.BufferLifecycle;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Synchronous copies between any host memory and one GPU's memory, through pinned bounce slots: the
 * CPU fills or empties one slot while the GPU copies the other.
 *
 * <p>Threads: any; each copy has slots of its own. Slots are kept for the next copy while a device
 * buffer lives (counted by {@link #retain}), so after the last buffer nothing pinned is left.
 */
final class CopyEngine {
  private static final long SLOT_BYTES = 1 << 20;
  private static final int SLOTS = 2;
  private static final int IDLE_MAX = 4;

  private final CudaDevice device;
  private final Deque<PinnedSlots> idle = new ArrayDeque<>();
  private int users;

  CopyEngine(CudaDevice device) {
    this.device = device;
  }

  /** A device buffer begins. */
  synchronized void retain() {
    users++;
  }

  /** A device buffer ended. */
  void release() {
    Deque<PinnedSlots> rest = new ArrayDeque<>();
    synchronized (this) {
      users--;
      if (users == 0) {
        rest.addAll(idle);
        idle.clear();
      }
    }
    rest.forEach(PinnedSlots::close);
  }

  void toDevice(long devicePointer, MemorySegment source, BufferLifecycle lifecycle) {
    PinnedSlots bounce = take();
    try {
      fill(bounce, devicePointer, source);
    } catch (RuntimeException e) {
      throw discarded(bounce, e, lifecycle);
    }
    give(bounce);
  }

  private static void fill(PinnedSlots bounce, long devicePointer, MemorySegment source) {
    int next = 0;
    for (long at = 0; at < source.byteSize(); at += SLOT_BYTES) {
      long length = Math.min(SLOT_BYTES, source.byteSize() - at);
      Slot slot = bounce.slot(next);
      slot.await();
      MemorySegment.copy(source, at, slot.offer().segment(), 0, length);
      slot.start(Direction.TO_DEVICE, devicePointer + at, length);
      next = (next + 1) % SLOTS;
    }
    awaitAll(bounce);
  }

  void toHost(long devicePointer, MemorySegment target, BufferLifecycle lifecycle) {
    PinnedSlots bounce = take();
    try {
      empty(bounce, devicePointer, target);
    } catch (RuntimeException e) {
      throw discarded(bounce, e, lifecycle);
    }
    give(bounce);
  }

  /** Copies of up to SLOTS chunks are under way; the oldest is emptied first. */
  private static void empty(PinnedSlots bounce, long devicePointer, MemorySegment target) {
    long size = target.byteSize();
    long started = 0;
    for (long done = 0; done < size; done += SLOT_BYTES) {
      while (started < size && started < done + SLOTS * SLOT_BYTES) {
        long length = Math.min(SLOT_BYTES, size - started);
        slotOf(bounce, started).start(Direction.TO_HOST, devicePointer + started, length);
        started += SLOT_BYTES;
      }
      Slot slot = slotOf(bounce, done);
      slot.await();
      long length = Math.min(SLOT_BYTES, size - done);
      MemorySegment.copy(slot.offer().segment(), 0, target, done, length);
    }
  }

  private static Slot slotOf(PinnedSlots bounce, long at) {
    return bounce.slot((int) (at / SLOT_BYTES % SLOTS));
  }

  private static void awaitAll(PinnedSlots bounce) {
    for (int i = 0; i < SLOTS; i++) {
      bounce.slot(i).await();
    }
  }

  private PinnedSlots take() {
    synchronized (this) {
      if (!idle.isEmpty()) {
        return idle.pop();
      }
    }
    return PinnedSlots.open(device, SLOT_BYTES, SLOTS);
  }

  private void give(PinnedSlots bounce) {
    synchronized (this) {
      if (users > 0 && idle.size() < IDLE_MAX) {
        idle.push(bounce);
        return;
      }
    }
    bounce.close();
  }

  /** Slots are not used again after a failure; undrained, they and the buffer are kept for ever. */
  private static RuntimeException discarded(
      PinnedSlots bounce, RuntimeException cause, BufferLifecycle lifecycle) {
    try {
      bounce.close();
    } catch (CudaException e) {
      lifecycle.quarantine("a copy could not be drained: " + e.getMessage());
      cause.addSuppressed(e);
    }
    return cause;
  }
}
