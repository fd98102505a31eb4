package io.s3rdma.client.transport;

import io.s3rdma.rdma.DeviceAttributes;
import io.s3rdma.rdma.GidEntry;
import io.s3rdma.rdma.PortAttributes;
import io.s3rdma.rdma.PortName;
import io.s3rdma.rdma.ProtectionDomain;
import io.s3rdma.rdma.RailFinder;
import io.s3rdma.rdma.Rdma;
import io.s3rdma.rdma.RdmaDevice;
import io.s3rdma.rdma.RdmaException;
import io.s3rdma.rdma.wire.Gid;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
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
  private final boolean first;
  private final DeviceAttributes attributes;
  private final ProtectionDomain domain;

  private ClientRail(RdmaDevice device, int port, Optional<InetAddress> local, boolean first) {
    this.first = first;
    this.device = device;
    this.port = port;
    this.local = local;
    this.attributes = device.attributes();
    this.domain = device.allocateProtectionDomain();
  }

  /**
   * Opens the rail that reaches the server, and after it every other usable one of this host,
   * unless the configuration names one; fails with every cause if the first cannot be opened.
   */
  static List<ClientRail> openAll(TransportConfig config) {
    List<ClientRail> rails = new ArrayList<>();
    rails.add(open(config));
    if (config.device().isPresent() || config.gidAddress().isPresent()) {
      return rails;
    }
    try {
      PortName first = rails.getFirst().portName();
      for (PortName at : RailFinder.ports(List.of(), 0)) {
        if (rails.size() < config.railsMax()
            && !at.equals(first)
            && RailFinder.look(at, Optional.empty()).rail().isPresent()) {
          rails.add(open(at.device(), at.port(), Optional.empty(), false));
        }
      }
      return rails;
    } catch (RdmaException e) {
      rails.forEach(ClientRail::close);
      throw e;
    }
  }

  private static ClientRail open(TransportConfig config) {
    Optional<InetAddress> local = config.gidAddress().or(() -> addressTowards(config.endpoint()));
    RailFinder.Search search = RailFinder.find(config.device(), config.port(), local);
    RailFinder.FoundRail found =
        search.rail().orElseThrow(() -> new TransportException(search.cause()));
    return open(found.device(), config.port(), local, true);
  }

  private static ClientRail open(
      String name, int port, Optional<InetAddress> local, boolean first) {
    RdmaDevice device = Rdma.open(name);
    try {
      return new ClientRail(device, port, local, first);
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
    return portName().toString();
  }

  PortName portName() {
    return new PortName(device.name(), port);
  }

  /**
   * HTTP shows that the first rail reaches the server; another one must share a network with the
   * server's end, or its first transfer would find out by the transport's time-outs.
   */
  void requireReach(Gid server) {
    Gid own = gid().gid();
    if (!first
        && !own.sharesBits(server, RailFinder.networkBits(own, portAttributes().ethernet()))) {
      throw new TransportException(name() + " is on another network than the server's " + server);
    }
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
