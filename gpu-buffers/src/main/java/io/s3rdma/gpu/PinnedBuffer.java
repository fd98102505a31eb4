package io.s3rdma.gpu;

import io.s3rdma.rdma.BufferLifecycle;
import io.s3rdma.rdma.BufferRegistration;
import io.s3rdma.rdma.ProtectionDomain;
import io.s3rdma.rdma.RdmaException;
import io.s3rdma.rdma.StagingArea;
import io.s3rdma.rdma.TransferBuffer;
import io.s3rdma.rdma.TransferRight;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Host memory pinned by the CUDA driver: a NIC registers it like any host memory, and GPUs copy
 * from and to it without a bounce.
 */
public final class PinnedBuffer implements TransferBuffer {
  private final MemorySegment memory;
  private final BufferLifecycle lifecycle;
  private final Runnable free;
  private final PinnedBuffer whole;

  private PinnedBuffer(
      MemorySegment memory, BufferLifecycle lifecycle, Runnable free, PinnedBuffer whole) {
    this.memory = memory;
    this.lifecycle = lifecycle;
    this.free = free;
    this.whole = whole == null ? this : whole;
  }

  /** Zeroed: what was in these pages before must not reach a peer. */
  @SuppressWarnings({"restricted", "MustBeClosedChecker"}) // the buffer closes the arena
  static PinnedBuffer allocate(CudaDevice device, long lengthBytes) {
    if (lengthBytes < 1) {
      throw RdmaException.misuse("a buffer of " + lengthBytes + " bytes cannot be allocated");
    }
    long address;
    try (CudaDevice.Binding _ = device.bind()) {
      address = device.driver().allocatePinned(lengthBytes);
    }
    Arena arena = Arena.ofShared();
    MemorySegment memory =
        MemorySegment.ofAddress(address).reinterpret(lengthBytes, arena, null).fill((byte) 0);
    Runnable free =
        () -> {
          arena.close();
          try (CudaDevice.Binding _ = device.bind()) {
            device.driver().freePinned(address);
          }
        };
    String name = "pinned buffer of " + lengthBytes + " bytes";
    return new PinnedBuffer(memory, new BufferLifecycle(name), free, null);
  }

  /** The memory. Its content is undefined while a NIC or a GPU writes into it. */
  public MemorySegment segment() {
    return memory;
  }

  @Override
  public Kind kind() {
    return Kind.PINNED;
  }

  @Override
  public long lengthBytes() {
    return memory.byteSize();
  }

  @Override
  public BufferLifecycle lifecycle() {
    return lifecycle;
  }

  @Override
  public BufferRegistration register(ProtectionDomain domain, TransferRight right) {
    lifecycle.checkUsable();
    return BufferRegistration.ofHostMemory(domain, memory, right);
  }

  @Override
  public void fenceRemoteWrites() {
    // As for host memory: the CPU's caches are coherent, and copies to a GPU start after this.
  }

  @Override
  public void copyIn(long offset, MemorySegment source) {
    lifecycle.checkUsable();
    MemorySegment.copy(source, 0, memory, offset, source.byteSize());
  }

  @Override
  public void copyOut(long offset, MemorySegment target) {
    lifecycle.checkUsable();
    MemorySegment.copy(memory, offset, target, 0, target.byteSize());
  }

  @Override
  public StagingArea openStaging(long slotBytes, int slots) {
    throw new UnsupportedOperationException("pinned memory needs no staging");
  }

  @Override
  public PinnedBuffer slice(long offset, long lengthBytes) {
    Objects.checkFromIndexSize(offset, lengthBytes, memory.byteSize());
    return new PinnedBuffer(memory.asSlice(offset, lengthBytes), lifecycle, null, whole);
  }

  @Override
  public TransferBuffer whole() {
    return whole;
  }

  @Override
  public long offsetInWhole() {
    return memory.address() - whole.memory.address();
  }

  @Override
  public void close() {
    if (free != null) {
      lifecycle.close(free);
    }
  }

  @Override
  public String toString() {
    return "pinned buffer of " + memory.byteSize() + " bytes";
  }
}
