package io.s3rdma.client.transport;

import io.s3rdma.rdma.BufferRegistration;
import io.s3rdma.rdma.ProtectionDomain;
import io.s3rdma.rdma.TransferBuffer;
import io.s3rdma.rdma.TransferRight;
import java.util.IdentityHashMap;

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
  private final IdentityHashMap<TransferBuffer, Entry> entries = new IdentityHashMap<>();

  private record Entry(BufferRegistration registration, AutoCloseable hook) {}

  /**
   * A registration for one transfer.
   *
   * @param transientOne true if it belongs to the transfer alone and is closed after it
   */
  record Held(BufferRegistration registration, boolean transientOne) {}

  Registrations(ProtectionDomain domain) {
    this.domain = domain;
  }

  /** A registration of the buffer's whole that serves the right. */
  synchronized Held of(TransferBuffer buffer, TransferRight right) {
    TransferBuffer whole = buffer.whole();
    Entry known = entries.get(whole);
    if (known != null) {
      return new Held(known.registration(), false);
    }
    whole.lifecycle().checkUsable();
    BufferRegistration registration = whole.register(domain, right);
    if (!registration.carriesWindows()) {
      // P-4.11: one right, for one transfer.
      return new Held(registration, true);
    }
    AutoCloseable hook = whole.lifecycle().addHook(() -> forget(whole));
    entries.put(whole, new Entry(registration, hook));
    return new Held(registration, false);
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
