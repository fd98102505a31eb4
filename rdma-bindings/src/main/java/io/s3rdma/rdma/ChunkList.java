package io.s3rdma.rdma;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Work requests prepared for one post call; reused. Not thread-safe. Filling and posting do not
 * allocate.
 *
 * <pre>
 *  0        8              16              24       28     32     36     40
 *  +--------+--------------+---------------+--------+------+------+------+
 *  |  id    | local address| remote address| length | lkey | rkey | flags|
 *  +--------+--------------+---------------+--------+------+------+------+
 * </pre>
 */
public final class ChunkList {
  /** Chunks that one post call takes. */
  public static final int CAPACITY = 64;

  private static final long STRIDE = Layouts.CHUNK.byteSize();
  private static final long ID = Layouts.offset(Layouts.CHUNK, "wr_id");
  private static final long LOCAL = Layouts.offset(Layouts.CHUNK, "local_address");
  private static final long REMOTE = Layouts.offset(Layouts.CHUNK, "remote_address");
  private static final long LENGTH = Layouts.offset(Layouts.CHUNK, "length");
  private static final long LKEY = Layouts.offset(Layouts.CHUNK, "lkey");
  private static final long RKEY = Layouts.offset(Layouts.CHUNK, "rkey");
  private static final long FLAGS = Layouts.offset(Layouts.CHUNK, "flags");
  private static final int SIGNALED = 1;

  private final MemorySegment memory;
  private final MemorySegment posted;
  private int count;

  /** A list in the given arena, which must outlive it. */
  public ChunkList(Arena arena) {
    this.memory = arena.allocate(Layouts.CHUNK, CAPACITY);
    this.posted = arena.allocate(JAVA_INT);
  }

  /** Empties the list. */
  public void clear() {
    count = 0;
    posted.set(JAVA_INT, 0, 0);
  }

  public int count() {
    return count;
  }

  /**
   * Adds a chunk.
   *
   * @param lengthBytes 1 to 2^31
   * @param remoteKey the peer's key as it came in the token
   */
  public void add(
      long id,
      long localAddress,
      LocalKey localKey,
      long remoteAddress,
      int remoteKey,
      long lengthBytes,
      boolean signaled) {
    if (count == CAPACITY || lengthBytes < 1 || lengthBytes > 1L << 31) {
      throw RdmaException.misuse(
          "chunk of " + lengthBytes + " bytes as number " + count + " of at most " + CAPACITY);
    }
    long base = count * STRIDE;
    memory.set(JAVA_LONG, base + ID, id);
    memory.set(JAVA_LONG, base + LOCAL, localAddress);
    memory.set(JAVA_LONG, base + REMOTE, remoteAddress);
    memory.set(JAVA_INT, base + LENGTH, (int) lengthBytes);
    memory.set(JAVA_INT, base + LKEY, localKey.value());
    memory.set(JAVA_INT, base + RKEY, remoteKey);
    memory.set(JAVA_INT, base + FLAGS, signaled ? SIGNALED : 0);
    count++;
  }

  long address() {
    return memory.address();
  }

  long postedAddress() {
    return posted.address();
  }

  /**
   * How many chunks were accepted by the last post since {@link #clear}; less than {@link #count}
   * only if it failed.
   */
  public int accepted() {
    return posted.get(JAVA_INT, 0);
  }
}
