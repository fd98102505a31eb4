package io.s3rdma.client;

import io.s3rdma.client.transport.RdmaTransport;
import io.s3rdma.client.transport.TransportException;
import java.util.function.Supplier;

/**
 * Opens the transport at the first use and keeps it, or keeps failing with the cause of the last
 * try. Thread-safe.
 */
final class LazyTransport implements Supplier<RdmaTransport>, AutoCloseable {
  private final Supplier<RdmaTransport> opener;
  private RdmaTransport transport;
  private boolean closed;

  LazyTransport(Supplier<RdmaTransport> opener) {
    this.opener = opener;
  }

  @Override
  public synchronized RdmaTransport get() {
    if (closed) {
      throw new TransportException("the client is closed");
    }
    if (transport == null) {
      transport = opener.get();
    }
    return transport;
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (transport != null) {
      transport.close();
      transport = null;
    }
  }
}
