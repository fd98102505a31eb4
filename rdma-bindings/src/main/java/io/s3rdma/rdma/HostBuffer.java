package io.s3rdma.rdma;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Off-heap host memory, page aligned. {@link #allocate} owns its memory; {@link #wrap} leaves it
 * with the caller, who must keep it mapped until this buffer is closed.
 */
public final class HostBuffer extends SegmentBuffer {
  private static final long PAGE_BYTES = 4096;

  private HostBuffer(MemorySegment memory, BufferLifecycle lifecycle, Runnable free) {
    super(memory, lifecycle, free);
  }

  private HostBuffer(HostBuffer of, long offset, long lengthBytes) {
    super(of, offset, lengthBytes);
  }

  /** Allocates zeroed memory; at least 1 byte. */
  @SuppressWarnings("MustBeClosedChecker") // the buffer closes the arena
  public static HostBuffer allocate(long lengthBytes) {
    if (lengthBytes < 1) {
      throw RdmaException.misuse("a buffer of " + lengthBytes + " bytes cannot be allocated");
    }
    Arena arena = Arena.ofShared();
    return new HostBuffer(
        arena.allocate(lengthBytes, PAGE_BYTES), lifecycleOf(lengthBytes), arena::close);
  }

  /** Uses the caller's native memory. */
  public static HostBuffer wrap(MemorySegment memory) {
    if (!memory.isNative() || memory.byteSize() < 1) {
      throw RdmaException.misuse("only native memory of at least one byte can be wrapped");
    }
    return new HostBuffer(memory, lifecycleOf(memory.byteSize()), () -> {});
  }

  private static BufferLifecycle lifecycleOf(long lengthBytes) {
    return new BufferLifecycle("host buffer of " + lengthBytes + " bytes");
  }

  @Override
  public Kind kind() {
    return Kind.HOST;
  }

  @Override
  public HostBuffer slice(long offset, long lengthBytes) {
    return new HostBuffer(this, offset, lengthBytes);
  }

  @Override
  public String toString() {
    return "host buffer of " + lengthBytes() + " bytes";
  }
}
