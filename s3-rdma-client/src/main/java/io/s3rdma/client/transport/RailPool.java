package io.s3rdma.client.transport;

import java.util.concurrent.Semaphore;

/**
 * One rail of a client with its connections and the buffers registered in its domain. Thread-safe.
 * Close order: connections, registrations, rail.
 */
final class RailPool implements AutoCloseable {
  private final ClientRail rail;
  private final ConnectionPool connections;
  private final Registrations registrations;
  private final long fenceTimeoutMillis;

  RailPool(ClientRail rail, TransportConfig config, ControlPlane control, Semaphore permits) {
    this.rail = rail;
    this.connections =
        new ConnectionPool(
            new Connector(config, rail, control),
            permits,
            config.connectionsMax(),
            config.connectionIdleSeconds());
    this.registrations = new Registrations(rail.domain());
    this.fenceTimeoutMillis = config.fenceTimeoutMillis();
  }

  ClientRail rail() {
    return rail;
  }

  ConnectionPool connections() {
    return connections;
  }

  Registrations registrations() {
    return registrations;
  }

  long fenceTimeoutMillis() {
    return fenceTimeoutMillis;
  }

  @Override
  public void close() {
    connections.close();
    registrations.close();
    rail.close();
  }
}
