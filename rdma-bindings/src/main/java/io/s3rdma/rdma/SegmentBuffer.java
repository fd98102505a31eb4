package io.s3rdma.rdma;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Optional;

/**
 * A buffer in memory that the CPU can reach: what host and pinned memory have in common. Owns its
 * memory if it was given how to free it; a view frees nothing.
 */
public abstract class SegmentBuffer implements TransferBuffer {
  private final MemorySegment memory;
  private final BufferLifecycle lifecycle;
  private final Runnable free;
  private final SegmentBuffer whole;
  private volatile MemoryPlace place;

  /** A buffer of its own; {@code free} runs once, at close, after the registrations are gone. */
  protected SegmentBuffer(MemorySegment memory, BufferLifecycle lifecycle, Runnable free) {
    this.memory = memory;
    this.lifecycle = lifecycle;
    this.free = free;
    this.whole = null;
  }

  /** A view of a range of another buffer. */
  protected SegmentBuffer(SegmentBuffer of, long offset, long lengthBytes) {
    Objects.checkFromIndexSize(offset, lengthBytes, of.memory.byteSize());
    this.memory = of.memory.asSlice(offset, lengthBytes);
    this.lifecycle = of.lifecycle;
    this.free = null;
    this.whole = of.whole == null ? of : of.whole;
  }

  /** The memory. Its content is undefined while a transfer into it is in flight. */
  public final MemorySegment segment() {
    return memory;
  }

  @Override
  public final long lengthBytes() {
    return memory.byteSize();
  }

  @Override
  public final BufferLifecycle lifecycle() {
    return lifecycle;
  }

  @Override
  public final BufferRegistration register(ProtectionDomain domain, TransferRight right) {
    lifecycle.checkUsable();
    return BufferRegistration.ofHostMemory(domain, memory, right);
  }

  @Override
  public final void fenceRemoteWrites() {
    // The server answers only after its completions, and the CPU's caches are coherent with the
    // NIC's writes.
  }

  @Override
  public final void copyIn(long offset, MemorySegment source) {
    lifecycle.checkUsable();
    MemorySegment.copy(source, 0, memory, offset, source.byteSize());
  }

  @Override
  public final void copyOut(long offset, MemorySegment target) {
    lifecycle.checkUsable();
    MemorySegment.copy(memory, offset, target, 0, target.byteSize());
  }

  @Override
  public final StagingArea openStaging(long slotBytes, int slots) {
    throw new UnsupportedOperationException(this + " needs no staging");
  }

  @Override
  public final MemoryPlace place() {
    if (whole != null) {
      return whole.place();
    }
    // A system call, and pages seldom move: once.
    MemoryPlace known = place;
    if (known == null) {
      known = new MemoryPlace(Optional.empty(), NearMemory.nodeOf(memory));
      place = known;
    }
    return known;
  }

  @Override
  public final TransferBuffer whole() {
    return whole == null ? this : whole;
  }

  @Override
  public final long offsetInWhole() {
    return whole == null ? 0 : memory.address() - whole.memory.address();
  }

  @Override
  public final void close() {
    if (free != null) {
      lifecycle.close(free);
    }
  }
}
