package io.s3rdma.client.transport;

import io.s3rdma.rdma.BufferRegistration;
import io.s3rdma.rdma.ProtectionDomain;
import io.s3rdma.rdma.TransferBuffer;
import io.s3rdma.rdma.TransferRight;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * Which buffers are registered in this client's domain. A buffer that can carry windows is
 * registered once, whole, and stays so until it is closed; the key is the buffer object, not its
 * address, because addresses come back after a free.
 *
 * <p>Threads: any, one lock; registering the same buffer twice at once is impossible. Close order:
 * a buffer's close deregisters before the memory goes; the client's close deregisters before the
 * domain goes.
 */
final class Registrations implements AutoCloseable {
  private final ProtectionDomain domain;
  private final boolean windowBoundsEnforced;
  private final IdentityHashMap<TransferBuffer, Entry> entries = new IdentityHashMap<>();

  private final Set<TransferBuffer.Kind> windowless = EnumSet.noneOf(TransferBuffer.Kind.class);

  private record Entry(BufferRegistration registration, AutoCloseable hook) {}

  /**
   * A registration for one transfer.
   *
   * @param address address by which work requests name the transfer's first byte
   * @param closeAfter true if it belongs to the transfer alone and is closed after it
   */
  record Held(BufferRegistration registration, long address, boolean closeAfter) {}

  Registrations(ProtectionDomain domain) {
    this.domain = domain;
    this.windowBoundsEnforced = domain.device().attributes().windowBoundsEnforced();
  }

  /** A registration that serves the right for the buffer's first bytes. */
  synchronized Held of(TransferBuffer buffer, long lengthBytes, TransferRight right) {
    TransferBuffer whole = buffer.whole();
    whole.lifecycle().checkUsable();
    boolean isWhole = buffer.offsetInWhole() == 0 && lengthBytes == whole.lengthBytes();
    if (!isWhole && (!windowBoundsEnforced || windowless.contains(whole.kind()))) {
      return exactly(buffer.slice(0, lengthBytes), right);
    }
    Entry known = entries.get(whole);
    if (known != null) {
      return held(known.registration(), buffer, false);
    }
    BufferRegistration registration = whole.register(domain, right);
    if (!registration.carriesWindows()) {
      // P-4.11: one right over exactly the bytes, for one transfer.
      windowless.add(whole.kind());
      if (isWhole) {
        return held(registration, buffer, true);
      }
      registration.close();
      return exactly(buffer.slice(0, lengthBytes), right);
    }
    AutoCloseable hook = whole.lifecycle().addHook(() -> forget(whole));
    entries.put(whole, new Entry(registration, hook));
    return held(registration, buffer, false);
  }

  private static Held held(
      BufferRegistration registration, TransferBuffer buffer, boolean closeAfter) {
    return new Held(registration, registration.baseAddress() + buffer.offsetInWhole(), closeAfter);
  }

  /** Where a window would not bound the peer, a region over exactly the bytes does. */
  private Held exactly(TransferBuffer range, TransferRight right) {
    BufferRegistration registration = range.register(domain, right);
    return new Held(registration, registration.baseAddress(), true);
  }

  private synchronized void forget(TransferBuffer whole) {
    Entry entry = entries.remove(whole);
    if (entry != null) {
      entry.registration().close();
    }
  }

  @Override
  public synchronized void close() {
    entries.forEach(
        (buffer, entry) -> {
          buffer.lifecycle().removeHook(entry.hook());
          entry.registration().close();
        });
    entries.clear();
  }
}
