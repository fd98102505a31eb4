package io.s3rdma.rdma;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Off-heap host memory, page aligned. {@link #allocate} owns its memory; {@link #wrap} leaves it
 * with the caller, who must keep it mapped until this buffer is closed.
 */
public final class HostBuffer implements TransferBuffer {
  private static final long PAGE_BYTES = 4096;

  private final MemorySegment memory;
  private final BufferLifecycle lifecycle;
  private final Runnable free;
  private final HostBuffer whole;

  private HostBuffer(
      MemorySegment memory, BufferLifecycle lifecycle, Runnable free, HostBuffer whole) {
    this.memory = memory;
    this.lifecycle = lifecycle;
    this.free = free;
    this.whole = whole == null ? this : whole;
  }

  /** Allocates zeroed memory; at least 1 byte. */
  @SuppressWarnings("MustBeClosedChecker") // the buffer closes the arena
  public static HostBuffer allocate(long lengthBytes) {
    if (lengthBytes < 1) {
      throw RdmaException.misuse("a buffer of " + lengthBytes + " bytes cannot be allocated");
    }
    Arena arena = Arena.ofShared();
    return new HostBuffer(
        arena.allocate(lengthBytes, PAGE_BYTES), lifecycleOf(lengthBytes), arena::close, null);
  }

  /** Uses the caller's native memory. */
  public static HostBuffer wrap(MemorySegment memory) {
    if (!memory.isNative() || memory.byteSize() < 1) {
      throw RdmaException.misuse("only native memory of at least one byte can be wrapped");
    }
    return new HostBuffer(memory, lifecycleOf(memory.byteSize()), () -> {}, null);
  }

  private static BufferLifecycle lifecycleOf(long lengthBytes) {
    return new BufferLifecycle("host buffer of " + lengthBytes + " bytes");
  }

  /** The memory. Its content is undefined while a GET into it is in flight. */
  public MemorySegment segment() {
    return memory;
  }

  @Override
  public Kind kind() {
    return Kind.HOST;
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
    // The server answers only after its completions, and the CPU's caches are coherent with the
    // NIC's writes.
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
    throw new UnsupportedOperationException("host memory needs no staging");
  }

  @Override
  public HostBuffer slice(long offset, long lengthBytes) {
    Objects.checkFromIndexSize(offset, lengthBytes, memory.byteSize());
    return new HostBuffer(memory.asSlice(offset, lengthBytes), lifecycle, null, whole);
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
}
