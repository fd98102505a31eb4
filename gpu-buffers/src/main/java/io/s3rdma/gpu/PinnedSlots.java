package io.s3rdma.gpu;

import io.s3rdma.rdma.RdmaException;
import io.s3rdma.rdma.StagingArea;
import java.util.ArrayList;
import java.util.List;

/**
 * Pinned slots of equal size with one stream in front of one GPU.
 *
 * <p>Threads: each slot is under its own lock; slots may be used by different threads. States of a
 * slot: idle, copying (from {@link Slot#start} until {@link Slot#await} returned), failed (a copy
 * is in an unknown state; the slot is never used again). Invariants: only an idle slot starts a
 * copy; memory is freed only after the stream has drained, and kept for the life of the process if
 * it could not be drained. Close order: drain, slots with their events, stream.
 */
final class PinnedSlots implements AutoCloseable {
  private final CudaDevice device;
  private final long slotBytes;
  private final long stream;
  private final List<Slot> slots = new ArrayList<>();
  private volatile boolean closing;
  private boolean closed;

  private PinnedSlots(CudaDevice device, long slotBytes) {
    this.device = device;
    this.slotBytes = slotBytes;
    try (CudaDevice.Binding _ = device.bind()) {
      this.stream = device.driver().createStream();
    }
  }

  static PinnedSlots open(CudaDevice device, long slotBytes, int count) {
    if (slotBytes < 1 || count < 1) {
      throw RdmaException.misuse(
          count + " staging slots of " + slotBytes + " bytes: both must be at least 1");
    }
    PinnedSlots opened = new PinnedSlots(device, slotBytes);
    try {
      for (int i = 0; i < count; i++) {
        opened.slots.add(opened.new Slot(i, PinnedBuffer.allocate(device, slotBytes)));
      }
      return opened;
    } catch (RuntimeException e) {
      try {
        opened.close();
      } catch (RuntimeException second) {
        e.addSuppressed(second);
      }
      throw e;
    }
  }

  /** Which way a copy goes. */
  enum Direction {
    TO_DEVICE,
    TO_HOST
  }

  /** One slot; also the handle of its copy under way, so that a copy allocates nothing. */
  final class Slot implements StagingArea.PendingCopy {
    private final int index;
    private final PinnedBuffer memory;
    private final long event;
    private boolean copying;
    private boolean released;
    private CudaException failure;

    private Slot(int index, PinnedBuffer memory) {
      this.index = index;
      this.memory = memory;
      try (CudaDevice.Binding _ = device.bind()) {
        this.event = device.driver().createEvent();
      } catch (RuntimeException e) {
        memory.close();
        throw e;
      }
    }

    /** The memory of the slot; refused until its copy was awaited. */
    synchronized PinnedBuffer offer() {
      checkIdle();
      return memory;
    }

    /** Starts a copy between the slot's first bytes and device memory. */
    synchronized void start(Direction direction, long devicePointer, long lengthBytes) {
      checkIdle();
      if (lengthBytes < 1 || lengthBytes > slotBytes) {
        throw RdmaException.misuse(
            "a copy of " + lengthBytes + " bytes does not fit a slot of " + slotBytes);
      }
      CudaDriver driver = device.driver();
      long host = memory.segment().address();
      try (CudaDevice.Binding _ = device.bind()) {
        if (direction == Direction.TO_DEVICE) {
          driver.copyToDevice(devicePointer, host, lengthBytes, stream);
        } else {
          driver.copyToHost(host, devicePointer, lengthBytes, stream);
        }
        record(driver);
      }
    }

    private void record(CudaDriver driver) {
      try {
        driver.recordEvent(event, stream);
        copying = true;
      } catch (CudaException e) {
        failure = e; // the copy runs, and nothing will tell when it ends
        throw e;
      }
    }

    @Override
    public synchronized void await() {
      if (failure != null) {
        throw failure;
      }
      if (!copying) {
        return;
      }
      try (CudaDevice.Binding _ = device.bind()) {
        // Mostly it has fired by now; asking is cheaper than going to sleep.
        if (!device.driver().eventFired(event)) {
          device.driver().synchronizeEvent(event);
        }
        copying = false;
      } catch (CudaException e) {
        failure = e;
        throw e;
      }
    }

    private void checkIdle() {
      if (closing) {
        throw RdmaException.misuse("staging slot " + index + " is closed");
      }
      if (failure != null) {
        throw RdmaException.misuse(
            "staging slot " + index + " is not usable after: " + failure.getMessage());
      }
      if (copying) {
        throw RdmaException.misuse(
            "the copy of staging slot " + index + " is under way; await it before the next use");
      }
    }

    private synchronized void release() {
      if (released) {
        return;
      }
      memory.close();
      released = true;
      copying = false; // drained
      try (CudaDevice.Binding _ = device.bind()) {
        device.driver().destroyEvent(event);
      }
    }

    private synchronized void abandon(String reason) {
      memory.lifecycle().quarantine(reason);
      released = true;
    }
  }

  int count() {
    return slots.size();
  }

  long slotBytes() {
    return slotBytes;
  }

  Slot slot(int index) {
    return slots.get(index);
  }

  /**
   * Idempotent. Where a slot's memory still has a lease it is refused and may be repeated.
   *
   * @throws CudaException if the stream could not be drained; the memory is then never freed
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closing = true;
    drain();
    RuntimeException first = null;
    for (Slot slot : slots) {
      try {
        slot.release();
      } catch (RuntimeException e) {
        first = joined(first, e);
      }
    }
    if (first != null) {
      throw first;
    }
    closed = true;
    try (CudaDevice.Binding _ = device.bind()) {
      device.driver().destroyStream(stream);
    }
  }

  private void drain() {
    try (CudaDevice.Binding _ = device.bind()) {
      device.driver().synchronizeStream(stream);
    } catch (CudaException e) {
      closed = true;
      slots.forEach(slot -> slot.abandon("its copies could not be drained: " + e.getMessage()));
      throw e;
    }
  }

  private static RuntimeException joined(RuntimeException first, RuntimeException next) {
    if (first == null) {
      return next;
    }
    first.addSuppressed(next);
    return first;
  }
}
