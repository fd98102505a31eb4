package io.s3rdma.rdma;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.s3rdma.rdma.wire.Gid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** An open RDMA device. Thread-safe. Owns protection domains and completion queues. */
public final class RdmaDevice extends NativeObject {
  private final String name;

  RdmaDevice(String name) {
    super(null, Shim.deviceOpen(name));
    this.name = name;
  }

  /** The device's name, for example {@code mlx5_0} or {@code rxe0}. */
  public String name() {
    return name;
  }

  /** Limits and identity as the device reports them. */
  public DeviceAttributes attributes() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(Layouts.DEVICE_ATTR);
      Shim.deviceQuery(handle(), out);
      return DeviceAttributes.read(out);
    }
  }

  /** State and limits of a port, numbered from 1. */
  public PortAttributes port(int port) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(Layouts.PORT_ATTR);
      Shim.portQuery(handle(), port, out);
      return PortAttributes.read(out);
    }
  }

  /**
   * The port's GID table without empty entries. Indexes are not stable over time: look up before
   * each use.
   */
  public List<GidEntry> gids(int port) {
    int capacity = 256;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(Layouts.GID_ENTRY, capacity);
      int count = Shim.gidList(handle(), port, out, capacity);
      List<GidEntry> entries = new ArrayList<>();
      for (int i = 0; i < Math.min(count, capacity); i++) {
        entries.add(gidEntry(out.asSlice(i * Layouts.GID_ENTRY.byteSize())));
      }
      return List.copyOf(entries);
    }
  }

  private static GidEntry gidEntry(MemorySegment entry) {
    Gid gid = Gid.ofBytes(entry.asSlice(0, 16).toArray(JAVA_BYTE));
    GidType type = GidType.of(Layouts.getInt(entry, Layouts.GID_ENTRY, "type"));
    return new GidEntry(
        gid,
        Layouts.getInt(entry, Layouts.GID_ENTRY, "index"),
        type,
        Layouts.getInt(entry, Layouts.GID_ENTRY, "netdev"));
  }

  /**
   * Waits for an asynchronous event of this device; one thread at a time. Empty when the time is
   * over, or at once after {@link #wake}.
   */
  public Optional<AsyncEvent> awaitAsyncEvent(int timeoutMillis) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(Layouts.ASYNC_EVENT);
      if (Shim.asyncWait(handle(), timeoutMillis, out) != 1) {
        return Optional.empty();
      }
      return Optional.of(
          new AsyncEvent(
              AsyncEvent.Type.of(Layouts.getInt(out, Layouts.ASYNC_EVENT, "type")),
              Layouts.getInt(out, Layouts.ASYNC_EVENT, "raw"),
              Layouts.getInt(out, Layouts.ASYNC_EVENT, "port"),
              Layouts.getInt(out, Layouts.ASYNC_EVENT, "qpn")));
    }
  }

  /** Ends a wait for asynchronous events, or the next one. Any thread. */
  public void wake() {
    Shim.asyncWake(handle());
  }

  /** A new protection domain, owned by this device. */
  public ProtectionDomain allocateProtectionDomain() {
    ProtectionDomain domain = new ProtectionDomain(this, Shim.pdAlloc(handle()));
    domain.attach();
    return domain;
  }

  /**
   * A new completion queue, owned by this device.
   *
   * @param depth completions it can hold; at least the sum of all attached send and receive depths,
   *     since on an error every work request completes
   */
  public CompletionQueue createCompletionQueue(int depth) {
    CompletionQueue queue = new CompletionQueue(this, Shim.cqCreate(handle(), depth), depth);
    queue.attach();
    return queue;
  }

  @Override
  void destroy(long handle) {
    Shim.deviceClose(handle);
  }

  @Override
  public String toString() {
    return "device " + name;
  }
}
