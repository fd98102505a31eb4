package io.s3rdma.gpu;

import io.s3rdma.gpu.PinnedSlots.Direction;
import io.s3rdma.gpu.PinnedSlots.Slot;
import io.s3rdma.rdma.BufferLifecycle;
import io.s3rdma.rdma.StagingArea;
import io.s3rdma.rdma.TransferBuffer;
import java.util.Objects;

/**
 * Staging slots of one device buffer. Holds a lease on the buffer, so its memory cannot go while a
 * copy may run. A slot is handed out, for a look or for the next copy, only after its last copy was
 * awaited.
 */
final class PinnedStaging implements StagingArea {
  private final DeviceBuffer buffer;
  private final BufferLifecycle.Lease lease;
  private final PinnedSlots slots;

  PinnedStaging(DeviceBuffer buffer, long slotBytes, int count) {
    this.buffer = buffer;
    this.lease = buffer.lifecycle().lease();
    try {
      this.slots = PinnedSlots.open(buffer.device(), slotBytes, count);
    } catch (RuntimeException e) {
      lease.close();
      throw e;
    }
  }

  @Override
  public int slots() {
    return slots.count();
  }

  @Override
  public long slotBytes() {
    return slots.slotBytes();
  }

  @Override
  public TransferBuffer slot(int index) {
    return slots.slot(index).offer();
  }

  @Override
  public PendingCopy copyIn(int index, long bufferOffset, long lengthBytes) {
    return start(Direction.TO_DEVICE, index, bufferOffset, lengthBytes);
  }

  @Override
  public PendingCopy copyOut(int index, long bufferOffset, long lengthBytes) {
    return start(Direction.TO_HOST, index, bufferOffset, lengthBytes);
  }

  private PendingCopy start(Direction direction, int index, long offset, long lengthBytes) {
    Objects.checkFromIndexSize(offset, lengthBytes, buffer.lengthBytes());
    buffer.lifecycle().checkUsable();
    Slot slot = slots.slot(index);
    slot.start(direction, buffer.devicePointer() + offset, lengthBytes);
    return slot;
  }

  @Override
  public void close() {
    try {
      slots.close();
    } catch (CudaException e) {
      // A copy may still write: neither side of it may be freed.
      buffer.lifecycle().quarantine("a copy could not be drained: " + e.getMessage());
      lease.close();
      throw e;
    }
    lease.close();
  }
}
