package io.s3rdma.rdma;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.OptionalInt;

/**
 * Zeroed host memory in the largest pages that there are, on a NUMA node of choice: for memory that
 * is registered once and used for long, where large pages save the NIC's translation cache and a
 * near node the way between processors.
 *
 * <p>Threads: any; closed once nobody uses it, after its registrations. The pages are there before
 * {@link #map} returns, so that a lack of them shows then.
 */
public final class NearMemory implements AutoCloseable {
  /** Of what the memory consists. */
  public enum Pages {
    NORMAL("normal pages"),
    /** Asked for; the kernel gives as many as it has. */
    TRANSPARENT_HUGE("transparent huge pages"),
    /** Of 2 MiB, from the kernel's pool. */
    HUGE("huge pages");

    private final String text;

    Pages(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  private final Arena arena;
  private final MemorySegment memory;
  private final Pages pages;
  private final OptionalInt node;

  private NearMemory(Arena arena, MemorySegment memory, Pages pages, OptionalInt node) {
    this.arena = arena;
    this.memory = memory;
    this.pages = pages;
    this.node = node;
  }

  /**
   * Maps memory.
   *
   * @param lengthBytes at least 1
   * @param near the preferred NUMA node, or empty for any
   * @throws RdmaException if there is not as much
   */
  @SuppressWarnings({"MustBeClosedChecker", "restricted"}) // the arena is closed in close()
  public static NearMemory map(long lengthBytes, OptionalInt near) {
    long address;
    long mapped;
    Pages pages;
    OptionalInt node;
    try (Arena scratch = Arena.ofConfined()) {
      MemorySegment out = scratch.allocate(Layouts.MEMORY);
      MemoryShim.map(lengthBytes, near.orElse(-1), out);
      address = Layouts.getLong(out, Layouts.MEMORY, "address");
      mapped = Layouts.getLong(out, Layouts.MEMORY, "length");
      pages = Pages.values()[Layouts.getInt(out, Layouts.MEMORY, "pages")];
      int got = Layouts.getInt(out, Layouts.MEMORY, "node");
      node = got < 0 ? OptionalInt.empty() : OptionalInt.of(got);
    }
    Arena arena = Arena.ofShared();
    MemorySegment memory =
        MemorySegment.ofAddress(address)
            .reinterpret(lengthBytes, arena, whole -> MemoryShim.unmap(whole.address(), mapped));
    return new NearMemory(arena, memory, pages, node);
  }

  /** The NUMA node of the page at an address; empty where the kernel does not say. */
  public static OptionalInt nodeOf(MemorySegment memory) {
    try {
      return OptionalInt.of(MemoryShim.node(memory.address()));
    } catch (RdmaException e) {
      return OptionalInt.empty();
    }
  }

  /** As long as was asked for. */
  public MemorySegment segment() {
    return memory;
  }

  public Pages pages() {
    return pages;
  }

  /** The NUMA node that it prefers; empty if any, or if the kernel refused. */
  public OptionalInt node() {
    return node;
  }

  /** Unmaps. Idempotent. */
  @Override
  public void close() {
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }
}
