package io.s3rdma.gpu;

import io.s3rdma.rdma.BufferLifecycle;
import io.s3rdma.rdma.RdmaException;
import io.s3rdma.rdma.SegmentBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Host memory pinned by the CUDA driver: a NIC registers it like any host memory, and GPUs copy
 * from and to it without a bounce.
 */
public final class PinnedBuffer extends SegmentBuffer {
  private PinnedBuffer(MemorySegment memory, BufferLifecycle lifecycle, Runnable free) {
    super(memory, lifecycle, free);
  }

  private PinnedBuffer(PinnedBuffer of, long offset, long lengthBytes) {
    super(of, offset, lengthBytes);
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
    return new PinnedBuffer(memory, new BufferLifecycle(name), free);
  }

  @Override
  public Kind kind() {
    return Kind.PINNED;
  }

  @Override
  public PinnedBuffer slice(long offset, long lengthBytes) {
    return new PinnedBuffer(this, offset, lengthBytes);
  }

  @Override
  public String toString() {
    return "pinned buffer of " + lengthBytes() + " bytes";
  }
}
