package io.s3rdma.server.transfer;

import io.s3rdma.rdma.LocalKey;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * One chunk of registered memory. Leased by a transfer; while a work request is open on it, {@link
 * #owner} names the transfer that its completion belongs to.
 *
 * <p>Threads: the leasing worker arms; the completion thread disarms. The generation is written
 * before the post that the NIC sees, and read by the completion thread after the NIC completed, so
 * the queue itself orders the two.
 */
final class StagingSlot {
  private final int index;
  private final MemorySegment memory;
  private final ByteBuffer buffer;
  private volatile int generation;
  private volatile InFlight owner;
  private HotChunk hot;
  private long offset;
  private int lengthBytes;

  StagingSlot(int index, MemorySegment memory) {
    this.index = index;
    this.memory = memory;
    this.buffer = memory.asByteBuffer();
  }

  int index() {
    return index;
  }

  long address() {
    return memory.address();
  }

  /** The memory for the first {@code lengthBytes}, at position 0. */
  ByteBuffer buffer(int length) {
    return buffer.clear().limit(length);
  }

  /** The next post sends these bytes and not the slot's own; the chunk is pinned for it. */
  void sendInstead(HotChunk chunk) {
    hot = chunk;
  }

  /** Where the next post's bytes are. */
  long localAddress() {
    return hot == null ? address() : hot.address();
  }

  /**
   * The key of that memory.
   *
   * @param own the slots' key
   */
  LocalKey localKey(LocalKey own) {
    return hot == null ? own : hot.key();
  }

  /** No work request is open on the slot. */
  void settle() {
    if (hot != null) {
      hot.unpin();
      hot = null;
    }
  }

  /** Prepares for a post of this part of the transfer; returns the id of the work request. */
  long arm(InFlight transfer, long atOffset, int length) {
    int next = generation + 1;
    offset = atOffset;
    lengthBytes = length;
    owner = transfer;
    generation = next;
    return WorkRequestId.encode(index, next);
  }

  /** Takes back an arming whose post was refused: no completion will come. */
  void unarm() {
    owner = null;
  }

  /** The transfer that a completion with this generation belongs to, or null if it is a stray. */
  InFlight disarm(int completedGeneration) {
    InFlight transfer = owner;
    if (transfer == null || completedGeneration != generation) {
      return null;
    }
    owner = null;
    return transfer;
  }

  long offset() {
    return offset;
  }

  int lengthBytes() {
    return lengthBytes;
  }
}
