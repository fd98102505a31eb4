package io.s3rdma.rdma;

import java.lang.foreign.MemorySegment;

/**
 * Memory that an object's bytes are transferred into or out of: the one seam between memory kinds.
 * The caller owns the buffer and closes it; a transfer holds a {@link BufferLifecycle.Lease lease}
 * while a peer may reach it.
 *
 * <p>Implementations are thread-safe for disjoint ranges. All offsets and lengths are bytes.
 */
public interface TransferBuffer extends AutoCloseable {
  /** Where the bytes live. */
  enum Kind {
    HOST,
    PINNED,
    DEVICE
  }

  Kind kind();

  /** Usable bytes, at least 1. */
  long lengthBytes();

  /**
   * Who uses the buffer, whether it still may be used, and what must happen before its memory is
   * freed.
   */
  BufferLifecycle lifecycle();

  /**
   * Registers the whole buffer for one domain, choosing the best way that this memory and device
   * allow.
   *
   * @param right the right a region must carry itself where it cannot carry windows; a registration
   *     that can carry windows serves both directions
   * @return a registration owned by the caller, closed before the domain and before the buffer
   * @throws RdmaException with advice FALL_BACK if only staging is possible ({@link #openStaging})
   */
  BufferRegistration register(ProtectionDomain domain, TransferRight right);

  /**
   * Makes bytes that a NIC has written visible to whoever uses this memory next. Called once after
   * a GET, before the buffer is handed back. Nothing to do for host memory.
   */
  void fenceRemoteWrites();

  /**
   * Copies host bytes into the buffer (HTTP paths). Synchronous; for device memory staged through
   * pinned memory.
   */
  void copyIn(long offset, MemorySegment source);

  /** Copies bytes of the buffer to host memory (HTTP paths). Synchronous. */
  void copyOut(long offset, MemorySegment target);

  /**
   * Pinned slots through which transfers reach memory that a NIC cannot: the copy of one slot
   * overlaps the transfer of the next.
   *
   * @throws UnsupportedOperationException for memory that can always be registered
   */
  StagingArea openStaging(long slotBytes, int slots);

  /** A view of a range, sharing memory and lifecycle; closing it does nothing. */
  TransferBuffer slice(long offset, long lengthBytes);

  /** The buffer that this one is a view of; itself if it is none. Registrations belong to it. */
  default TransferBuffer whole() {
    return this;
  }

  /** Where the memory is, for the choice of a near device; asked for once or so per transfer. */
  default MemoryPlace place() {
    return MemoryPlace.UNKNOWN;
  }

  /** Where this view starts in {@link #whole}. */
  default long offsetInWhole() {
    return 0;
  }

  /** Frees the memory. Refused while a transfer holds a lease. Idempotent. */
  @Override
  void close();
}
