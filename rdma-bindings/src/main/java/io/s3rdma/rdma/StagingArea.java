package io.s3rdma.rdma;

/**
 * Pinned host slots in front of device memory. Slots belong to one transfer each; the caller does
 * not reuse a slot before its {@link PendingCopy} is awaited. Close order: await copies, close
 * registrations of the slots, close this.
 */
public interface StagingArea extends AutoCloseable {
  int slots();

  long slotBytes();

  /** The pinned memory of a slot, registrable like host memory; owned by this area. */
  TransferBuffer slot(int index);

  /** Starts a copy of the slot's first bytes into the buffer. */
  PendingCopy copyIn(int index, long bufferOffset, long lengthBytes);

  /** Starts a copy of the buffer's bytes into the slot. */
  PendingCopy copyOut(int index, long bufferOffset, long lengthBytes);

  @Override
  void close();

  /** A copy under way. */
  interface PendingCopy {
    /** Returns when the bytes are there; throws if the copy failed. */
    void await();
  }
}
