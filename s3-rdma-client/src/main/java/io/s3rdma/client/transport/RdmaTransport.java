package io.s3rdma.client.transport;

import io.s3rdma.rdma.RdmaException;
import io.s3rdma.rdma.TransferBuffer;
import io.s3rdma.rdma.TransferRight;
import software.amazon.awssdk.http.SdkHttpClient;

/**
 * The RDMA side of a client: one rail towards one server, its connections and registrations.
 * Thread-safe. Close after all transfers: connections, registrations, rail.
 */
public final class RdmaTransport implements AutoCloseable {
  private final TransportConfig config;
  private final ClientRail rail;
  private final ConnectionPool pool;
  private final Registrations registrations;

  private RdmaTransport(TransportConfig config, ClientRail rail, SdkHttpClient http) {
    this.config = config;
    this.rail = rail;
    Connector connector = new Connector(config, rail, new ControlPlane(config, http));
    this.pool =
        new ConnectionPool(connector, config.connectionsMax(), config.connectionIdleSeconds());
    this.registrations = new Registrations(rail.domain());
  }

  /**
   * Opens the rail; no connection yet.
   *
   * @param http for connect and disconnect; stays the caller's
   * @throws TransportException with the cause if no device here reaches the server
   */
  public static RdmaTransport open(TransportConfig config, SdkHttpClient http) {
    try {
      return new RdmaTransport(config, ClientRail.open(config), http);
    } catch (RdmaException e) {
      throw new TransportException(e.getMessage(), e);
    }
  }

  /** Device and port in use. */
  public String rail() {
    return rail.name();
  }

  /**
   * Grants the server access to the first {@code lengthBytes} of the buffer.
   *
   * @throws TransportException if no connection can be had
   * @throws RdmaException if the memory cannot be registered; nothing is left behind
   */
  public Grant grant(TransferBuffer buffer, long lengthBytes, TransferRight right) {
    Grant grant = new Grant(this, buffer, lengthBytes, right);
    try {
      openWithOneRetry(grant);
      return grant;
    } catch (RuntimeException e) {
      grant.abandon();
      throw e;
    }
  }

  /**
   * Whether the NIC cannot reach this memory, so that it must go through pinned slots; decided by
   * registering it.
   */
  public boolean needsStaging(TransferBuffer buffer) {
    try {
      Registrations.Held held =
          registrations.of(buffer, buffer.lengthBytes(), TransferRight.REMOTE_WRITE);
      if (held.closeAfter()) {
        held.registration().close();
      }
      return false;
    } catch (RdmaException e) {
      if (e.advice() == RdmaException.Advice.ABORT) {
        throw e;
      }
      return true;
    }
  }

  /** A pooled connection may have died unseen: one more try with a new one. */
  private static void openWithOneRetry(Grant grant) {
    try {
      grant.open(false);
    } catch (TransportException e) {
      grant.reopen(e);
    }
  }

  ConnectionPool pool() {
    return pool;
  }

  Registrations registrations() {
    return registrations;
  }

  long fenceTimeoutMillis() {
    return config.fenceTimeoutMillis();
  }

  @Override
  public void close() {
    pool.close();
    registrations.close();
    rail.close();
  }
}
