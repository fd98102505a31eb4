package io.s3rdma.server.transfer;

import io.s3rdma.rdma.LocalKey;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One chunk of {@link HotMemory}. Its name and state are guarded by the memory's lock; pins rise
 * under it only and fall without it, so what has none under the lock is nobody's.
 */
final class HotChunk {
  /** Which bytes of which data. */
  record Name(String id, long position) {}

  private final MemorySegment memory;
  private final ByteBuffer buffer;
  private final LocalKey key;
  private final AtomicInteger pins = new AtomicInteger();
  private Name name;
  private boolean filling;
  private boolean usedLately;

  HotChunk(MemorySegment memory, LocalKey key) {
    this.memory = memory;
    this.buffer = memory.asByteBuffer();
    this.key = key;
  }

  // ---- whoever has it pinned ----

  long address() {
    return memory.address();
  }

  LocalKey key() {
    return key;
  }

  int sizeBytes() {
    return buffer.capacity();
  }

  /** No work request reads it any more for whoever pinned it. */
  void unpin() {
    pins.decrementAndGet();
  }

  /** For the one that fills it. */
  ByteBuffer buffer(int length) {
    return buffer.clear().limit(length);
  }

  // ---- under the memory's lock ----

  /** Empties it for new bytes, pinned by who fills it. */
  void claim(Name next) {
    name = next;
    filling = true;
    pins.incrementAndGet();
  }

  void filled() {
    filling = false;
    usedLately = true;
  }

  /** The bytes did not come. */
  void abandon() {
    name = null;
    filling = false;
    unpin();
  }

  /** False while somebody fills it. */
  boolean pin() {
    if (filling) {
      return false;
    }
    usedLately = true;
    pins.incrementAndGet();
    return true;
  }

  boolean isPinned() {
    return pins.get() > 0;
  }

  /** True once after each use: a second chance to stay. */
  boolean wasUsed() {
    boolean was = usedLately;
    usedLately = false;
    return was;
  }

  /** Null if it is empty. */
  Name name() {
    return name;
  }
}
