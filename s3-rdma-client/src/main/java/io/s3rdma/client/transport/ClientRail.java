package io.s3rdma.client.transport;

import io.s3rdma.rdma.DeviceAttributes;
import io.s3rdma.rdma.GidEntry;
import io.s3rdma.rdma.PortAttributes;
import io.s3rdma.rdma.ProtectionDomain;
import io.s3rdma.rdma.RailFinder;
import io.s3rdma.rdma.Rdma;
import io.s3rdma.rdma.RdmaDevice;
import io.s3rdma.rdma.RdmaException;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Optional;

/**
 * The device port that a client uses towards one server, with a protection domain of its own, so
 * that no other server's connection can reach memory registered here. Close order: connections,
 * registrations, domain, device.
 */
final class ClientRail implements AutoCloseable {
  private final RdmaDevice device;
  private final int port;
  private final Optional<InetAddress> local;
  private final DeviceAttributes attributes;
  private final ProtectionDomain domain;

  private ClientRail(RdmaDevice device, int port, Optional<InetAddress> local) {
    this.device = device;
    this.port = port;
    this.local = local;
    this.attributes = device.attributes();
    this.domain = device.allocateProtectionDomain();
  }

  /** Opens the device that reaches the server; fails with every cause. */
  static ClientRail open(TransportConfig config) {
    Optional<InetAddress> local = config.gidAddress().or(() -> addressTowards(config.endpoint()));
    RailFinder.Search search = RailFinder.find(config.device(), config.port(), local);
    RailFinder.FoundRail found =
        search.rail().orElseThrow(() -> new TransportException(search.cause()));
    RdmaDevice device = Rdma.open(found.device());
    try {
      return new ClientRail(device, config.port(), local);
    } catch (RdmaException e) {
      device.close();
      throw new TransportException(e.getMessage(), e);
    }
  }

  /** The local address that packets to the server leave from; nothing is sent. */
  private static Optional<InetAddress> addressTowards(URI endpoint) {
    int httpPort = endpoint.getPort() > 0 ? endpoint.getPort() : 80;
    try (DatagramSocket probe = new DatagramSocket()) {
      probe.connect(new InetSocketAddress(endpoint.getHost(), httpPort));
      return Optional.of(probe.getLocalAddress());
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  String name() {
    return device.name() + "/" + port;
  }

  int port() {
    return port;
  }

  DeviceAttributes attributes() {
    return attributes;
  }

  PortAttributes portAttributes() {
    return device.port(port);
  }

  RdmaDevice device() {
    return device;
  }

  ProtectionDomain domain() {
    return domain;
  }

  /** Looked up at each connect: GID tables change at run time. */
  GidEntry gid() {
    return RailFinder.select(device, port, local)
        .orElseThrow(() -> new TransportException(name() + " has lost its GID"));
  }

  @Override
  public void close() {
    domain.close();
    device.close();
  }
}
