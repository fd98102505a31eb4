package io.s3rdma.server.transfer;

import io.s3rdma.rdma.Access;
import io.s3rdma.rdma.MemoryRegion;
import io.s3rdma.rdma.NearMemory;
import io.s3rdma.rdma.ProtectionDomain;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/**
 * Registered memory of a rail that keeps chunks of data read again and again: a GET of them costs
 * neither a read of the store nor a copy, which is most of what a large GET costs the server.
 *
 * <p>Data come in when they are read for the second time, so that one reader of everything empties
 * nothing. What is larger than all of this memory never comes in. Names are never reused and data
 * never change, so nothing here grows stale; what nobody asks for goes when others need the room.
 *
 * <p>Threads: any; names and states are guarded by this object's lock, bytes are filled outside it.
 * Invariants: registered at start and sealed, without rights for peers (P-2.9); a chunk gets other
 * bytes only while nobody has it pinned; a chunk under a work request whose drain failed stays
 * pinned for good. Close order: as {@link StagingPool}'s.
 */
final class HotMemory implements AutoCloseable {
  private static final int SEEN_MAX = 4096;

  private final NearMemory memory;
  private final MemoryRegion region;
  private final int chunkBytes;
  private final HotChunk[] chunks;
  private final Map<HotChunk.Name, HotChunk> byName = new HashMap<>();
  private final Map<String, Boolean> seen =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
          return size() > SEEN_MAX;
        }
      };
  private final LongAdder hits = new LongAdder();
  private final LongAdder fills = new LongAdder();
  private int hand;

  /** Maps, registers and cuts up the memory. */
  HotMemory(ProtectionDomain domain, int count, int chunkBytes, OptionalInt node) {
    this.chunkBytes = chunkBytes;
    this.memory = NearMemory.map((long) count * chunkBytes, node);
    try {
      // The right to write is only the CPU's word: without it the pages could be others' than ours.
      this.region = domain.register(memory.segment(), Set.of(Access.LOCAL_WRITE));
    } catch (RuntimeException e) {
      memory.close();
      throw e;
    }
    this.chunks = new HotChunk[count];
    for (int i = 0; i < count; i++) {
      chunks[i] =
          new HotChunk(
              memory.segment().asSlice((long) i * chunkBytes, chunkBytes), region.localKey());
    }
  }

  /** Notes that data are read, and tells whether they are worth keeping. */
  synchronized boolean isHot(SourceName name) {
    return name.sizeBytes() <= (long) chunks.length * chunkBytes
        && seen.put(name.id(), Boolean.TRUE) != null;
  }

  /**
   * The chunk with these bytes of hot data at its start, pinned, read from the source if need be.
   *
   * @param offset of the source's bytes
   * @return null if they are not here and cannot come in now
   */
  HotChunk take(SourceName name, ByteSource source, long offset, int length) throws IOException {
    long position = name.first() + offset;
    if (position % chunkBytes != 0) {
      return null;
    }
    HotChunk.Name wanted = new HotChunk.Name(name.id(), position);
    boolean whole = length == Math.min(chunkBytes, name.sizeBytes() - position);
    HotChunk chunk;
    synchronized (this) {
      chunk = byName.get(wanted);
      if (chunk != null) {
        return pinned(chunk);
      }
      chunk = whole ? free() : null;
      if (chunk == null) {
        return null;
      }
      chunk.claim(wanted);
      byName.put(wanted, chunk);
    }
    fill(chunk, source, offset, length);
    return chunk;
  }

  /**
   * As {@link #take}, if the chunk is here already.
   *
   * @return null if not
   */
  HotChunk find(SourceName name, long offset) {
    HotChunk.Name wanted = new HotChunk.Name(name.id(), name.first() + offset);
    synchronized (this) {
      HotChunk chunk = byName.get(wanted);
      return chunk == null ? null : pinned(chunk);
    }
  }

  private HotChunk pinned(HotChunk chunk) {
    if (!chunk.pin()) {
      return null;
    }
    hits.increment();
    return chunk;
  }

  private void fill(HotChunk chunk, ByteSource source, long offset, int length) throws IOException {
    boolean filled = false;
    try {
      source.readFully(offset, chunk.buffer(length));
      filled = true;
      fills.increment();
    } finally {
      end(chunk, filled);
    }
  }

  private synchronized void end(HotChunk chunk, boolean filled) {
    if (filled) {
      chunk.filled();
    } else {
      byName.remove(chunk.name());
      chunk.abandon();
    }
  }

  /** Round and round, over what is pinned and once over what was used; null if all are in use. */
  private HotChunk free() {
    for (int i = 0; i < 2 * chunks.length; i++) {
      HotChunk chunk = chunks[hand];
      hand = (hand + 1) % chunks.length;
      if (!chunk.isPinned() && !chunk.wasUsed()) {
        if (chunk.name() != null) {
          byName.remove(chunk.name());
        }
        return chunk;
      }
    }
    return null;
  }

  /** Chunks that came from here and not from the store. */
  long hits() {
    return hits.sum();
  }

  /** Chunks that were read from the store to stay here. */
  long fills() {
    return fills.sum();
  }

  @Override
  public void close() {
    region.close();
    boolean left = false;
    for (HotChunk chunk : chunks) {
      left |= chunk.isPinned();
    }
    if (!left) {
      memory.close(); // else a NIC may still read it, and does not see it go
    }
  }
}
