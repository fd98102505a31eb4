package io.s3rdma.rdma;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Room for one reaped batch, allocated once per polling thread. Reading does not allocate. For a
 * failed completion only the id, status, queue pair and vendor error mean something.
 */
public final class CompletionBatch {
  private static final long STRIDE = Layouts.COMPLETION.byteSize();
  private static final long ID = Layouts.offset(Layouts.COMPLETION, "wr_id");
  private static final long STATUS = Layouts.offset(Layouts.COMPLETION, "status");
  private static final long QPN = Layouts.offset(Layouts.COMPLETION, "qpn");
  private static final long VENDOR = Layouts.offset(Layouts.COMPLETION, "vendor_error");
  private static final long BYTES = Layouts.offset(Layouts.COMPLETION, "byte_count");

  private final MemorySegment memory;
  private final int capacity;
  private int count;

  /**
   * A batch in the given arena, which must outlive it.
   *
   * @param capacity 1 to 64
   */
  public CompletionBatch(Arena arena, int capacity) {
    if (capacity < 1 || capacity > 64) {
      throw RdmaException.misuse("batch capacity " + capacity + " is not in 1..64");
    }
    this.capacity = capacity;
    this.memory = arena.allocate(Layouts.COMPLETION, capacity);
  }

  int capacity() {
    return capacity;
  }

  long address() {
    return memory.address();
  }

  void filled(int reaped) {
    count = reaped;
  }

  /** Completions of the last poll. */
  public int count() {
    return count;
  }

  public long id(int i) {
    return memory.get(JAVA_LONG, i * STRIDE + ID);
  }

  public CompletionStatus status(int i) {
    return CompletionStatus.of(memory.get(JAVA_INT, i * STRIDE + STATUS));
  }

  public int queuePairNumber(int i) {
    return memory.get(JAVA_INT, i * STRIDE + QPN);
  }

  public int vendorError(int i) {
    return memory.get(JAVA_INT, i * STRIDE + VENDOR);
  }

  public long bytes(int i) {
    return Integer.toUnsignedLong(memory.get(JAVA_INT, i * STRIDE + BYTES));
  }
}
