package io.s3rdma.server.transfer;

import io.s3rdma.rdma.ChunkList;
import io.s3rdma.rdma.LocalKey;
import io.s3rdma.rdma.wire.RemoteDescriptor;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * One chunk of registered memory. Leased by a transfer; while a work request is open on it, {@link
 * #owner} names the transfer that its completion belongs to. Where chunks of {@link HotMemory} are
 * sent in its place, they may be several: one post, of whose work requests the last alone is
 * signalled, since a queue pair completes them in order.
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
  private final HotChunk[] hot;
  private int hotCount;
  private long offset;
  private int lengthBytes;

  /**
   * A slot.
   *
   * @param batchChunks chunks sent in its place at once, at most
   */
  StagingSlot(int index, MemorySegment memory, int batchChunks) {
    this.hot = new HotChunk[batchChunks];
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

  /** What of so many bytes is one chunk. */
  int chunkOf(long left) {
    return (int) Math.min(buffer.capacity(), left);
  }

  /** The next post sends these bytes too, and not the slot's own; the chunk is pinned for it. */
  void sendInstead(HotChunk chunk) {
    hot[hotCount++] = chunk;
  }

  /** Whether the next post can send another chunk. */
  boolean hasRoom() {
    return hotCount < hot.length;
  }

  /**
   * Adds the work requests of this use.
   *
   * @param id from {@link #arm}
   * @param own the key of the slots' memory
   * @param window the peer's memory for the whole transfer
   */
  void addTo(ChunkList list, long id, LocalKey own, RemoteDescriptor window) {
    if (hotCount == 0) {
      add(list, id, address(), own, window, 0, lengthBytes);
      return;
    }
    int at = 0;
    for (int i = 0; i < hotCount; i++) {
      int part = Math.min(hot[i].sizeBytes(), lengthBytes - at);
      long name = i < hotCount - 1 ? WorkRequestId.leading(id) : id;
      add(list, name, hot[i].address(), hot[i].key(), window, at, part);
      at += part;
    }
  }

  private void add(
      ChunkList list,
      long id,
      long address,
      LocalKey key,
      RemoteDescriptor window,
      int at,
      int part) {
    long remote = window.addressOf(offset + at, part);
    list.add(id, address, key, remote, window.rkey(), part, !WorkRequestId.isLeading(id));
  }

  /** No work request is open on the slot. */
  void settle() {
    while (hotCount > 0) {
      hot[--hotCount].unpin();
      hot[hotCount] = null;
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
  InFlight owner(int completedGeneration) {
    InFlight transfer = owner;
    return completedGeneration == generation ? transfer : null;
  }

  /** As {@link #owner}; no more completions of this use will come. */
  InFlight disarm(int completedGeneration) {
    InFlight transfer = owner(completedGeneration);
    if (transfer != null) {
      owner = null;
    }
    return transfer;
  }

  long offset() {
    return offset;
  }

  int lengthBytes() {
    return lengthBytes;
  }
}
