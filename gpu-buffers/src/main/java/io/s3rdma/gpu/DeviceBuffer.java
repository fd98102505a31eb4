package io.s3rdma.gpu;

import io.s3rdma.rdma.BufferLifecycle;
import io.s3rdma.rdma.BufferRegistration;
import io.s3rdma.rdma.MemoryPlace;
import io.s3rdma.rdma.ProtectionDomain;
import io.s3rdma.rdma.RdmaException;
import io.s3rdma.rdma.StagingArea;
import io.s3rdma.rdma.TransferBuffer;
import io.s3rdma.rdma.TransferRight;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Memory of a GPU, owned ({@link Gpu#allocate}) or the caller's ({@link Gpu#wrap}). The CPU never
 * follows its pointer; {@link #copyIn} and {@link #copyOut} go through pinned memory.
 *
 * <p>The whole allocation is marked so that synchronous CUDA copies order themselves with what a
 * NIC does (SYNC_MEMOPS).
 */
public final class DeviceBuffer implements TransferBuffer {
  private static final int MEMORY_TYPE = 2;
  private static final int SYNC_MEMOPS = 6;
  private static final int IS_MANAGED = 8;
  private static final int DEVICE_ORDINAL = 9;
  private static final int TYPE_DEVICE = 2;

  private final CudaDevice device;
  private final long devicePointer;
  private final long lengthBytes;
  private final boolean allocated;
  private final BufferLifecycle lifecycle;
  private final Runnable free;
  private final DeviceBuffer whole;

  private DeviceBuffer(
      CudaDevice device,
      long devicePointer,
      long lengthBytes,
      boolean allocated,
      BufferLifecycle lifecycle,
      Runnable free,
      DeviceBuffer whole) {
    this.device = device;
    this.devicePointer = devicePointer;
    this.lengthBytes = lengthBytes;
    this.allocated = allocated;
    this.lifecycle = lifecycle;
    this.free = free;
    this.whole = whole == null ? this : whole;
  }

  static DeviceBuffer allocate(CudaDevice device, long lengthBytes) {
    if (lengthBytes < 1) {
      throw RdmaException.misuse("a buffer of " + lengthBytes + " bytes cannot be allocated");
    }
    CudaDriver driver = device.driver();
    long pointer;
    try (CudaDevice.Binding _ = device.bind()) {
      pointer = driver.allocate(lengthBytes);
      try {
        driver.setPointerAttribute(SYNC_MEMOPS, pointer, 1);
      } catch (CudaException e) {
        driver.free(pointer);
        throw e;
      }
    }
    Runnable free =
        () -> {
          try (CudaDevice.Binding _ = device.bind()) {
            driver.free(pointer);
          }
        };
    return owner(device, pointer, lengthBytes, true, free);
  }

  static DeviceBuffer wrap(CudaDevice device, long pointer, long lengthBytes) {
    if (lengthBytes < 1) {
      throw RdmaException.misuse("a buffer of " + lengthBytes + " bytes cannot be wrapped");
    }
    try (CudaDevice.Binding _ = device.bind()) {
      checkMemory(device, pointer, lengthBytes);
      device.driver().setPointerAttribute(SYNC_MEMOPS, pointer, 1);
    } catch (CudaException e) {
      throw RdmaException.misuse(
          String.format(
              "0x%x is no device memory that can be wrapped: %s", pointer, e.getMessage()));
    }
    return owner(device, pointer, lengthBytes, false, () -> {});
  }

  private static void checkMemory(CudaDevice device, long pointer, long lengthBytes) {
    CudaDriver driver = device.driver();
    if (driver.pointerAttribute(MEMORY_TYPE, pointer) != TYPE_DEVICE) {
      throw refusal(pointer, "is not device memory; use host or pinned buffers for host memory");
    }
    if (driver.pointerAttribute(IS_MANAGED, pointer) != 0) {
      throw refusal(pointer, "is managed memory, which moves and cannot be registered");
    }
    long ordinal = driver.pointerAttribute(DEVICE_ORDINAL, pointer);
    if (ordinal != device.ordinal()) {
      throw refusal(pointer, "is memory of GPU " + ordinal + ", not of " + device);
    }
    CudaDriver.AddressRange range = driver.addressRange(pointer);
    if (lengthBytes > range.lengthBytes() - (pointer - range.base())) {
      throw refusal(
          pointer,
          String.format(
              "and %d bytes leave the allocation of %d bytes at 0x%x; wrap each allocation alone",
              lengthBytes, range.lengthBytes(), range.base()));
    }
  }

  private static RdmaException refusal(long pointer, String reason) {
    return RdmaException.misuse(String.format("0x%x %s", pointer, reason));
  }

  private static DeviceBuffer owner(
      CudaDevice device, long pointer, long lengthBytes, boolean allocated, Runnable freeMemory) {
    String name = "device buffer of " + lengthBytes + " bytes on " + device;
    device.copies().retain();
    Runnable free =
        () -> {
          try {
            freeMemory.run();
          } finally {
            device.copies().release();
          }
        };
    return new DeviceBuffer(
        device, pointer, lengthBytes, allocated, new BufferLifecycle(name), free, null);
  }

  /** The CUdeviceptr of the first byte, for kernels and other CUDA calls. Not for the CPU. */
  public long devicePointer() {
    return devicePointer;
  }

  /** The GPU, as CUDA counts. */
  public int ordinal() {
    return device.ordinal();
  }

  CudaDevice device() {
    return device;
  }

  /** Whether the memory comes from the driver's plain allocator, which NICs can always reach. */
  boolean allocated() {
    return allocated;
  }

  @Override
  public Kind kind() {
    return Kind.DEVICE;
  }

  @Override
  public long lengthBytes() {
    return lengthBytes;
  }

  @Override
  public BufferLifecycle lifecycle() {
    return lifecycle;
  }

  @Override
  public BufferRegistration register(ProtectionDomain domain, TransferRight right) {
    try (BufferLifecycle.Lease _ = lifecycle.lease()) {
      return device.planner().register(this, domain, right);
    }
  }

  @Override
  public void fenceRemoteWrites() {
    WriteFence _ = fence();
  }

  /** Fences and tells how. */
  WriteFence fence() {
    try (BufferLifecycle.Lease _ = lifecycle.lease()) {
      WriteFence fence = device.fence();
      if (fence == WriteFence.FLUSH) {
        try (CudaDevice.Binding _ = device.bind()) {
          device.driver().flushRemoteWrites();
        }
      }
      return fence;
    }
  }

  @Override
  public void copyIn(long offset, MemorySegment source) {
    Objects.checkFromIndexSize(offset, source.byteSize(), lengthBytes);
    try (BufferLifecycle.Lease _ = lifecycle.lease()) {
      device.copies().toDevice(devicePointer + offset, source, lifecycle);
    }
  }

  @Override
  public void copyOut(long offset, MemorySegment target) {
    Objects.checkFromIndexSize(offset, target.byteSize(), lengthBytes);
    try (BufferLifecycle.Lease _ = lifecycle.lease()) {
      device.copies().toHost(devicePointer + offset, target, lifecycle);
    }
  }

  @Override
  public StagingArea openStaging(long slotBytes, int slots) {
    return new PinnedStaging(this, slotBytes, slots);
  }

  @Override
  public DeviceBuffer slice(long offset, long lengthBytes) {
    Objects.checkFromIndexSize(offset, lengthBytes, this.lengthBytes);
    if (lengthBytes == 0) {
      throw RdmaException.misuse("a slice has at least one byte");
    }
    return new DeviceBuffer(
        device, devicePointer + offset, lengthBytes, allocated, lifecycle, null, whole);
  }

  @Override
  public MemoryPlace place() {
    return device.place();
  }

  @Override
  public TransferBuffer whole() {
    return whole;
  }

  @Override
  public long offsetInWhole() {
    return devicePointer - whole.devicePointer;
  }

  @Override
  public void close() {
    if (free != null) {
      lifecycle.close(free);
    }
  }

  @Override
  public String toString() {
    return String.format(
        "device buffer of %d bytes at 0x%x on %s", lengthBytes, devicePointer, device);
  }
}
