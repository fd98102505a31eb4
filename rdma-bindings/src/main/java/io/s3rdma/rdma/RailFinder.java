package io.s3rdma.rdma;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the device port to use on this host: active, with a usable GID whose address belongs to
 * this host. Several network namespaces can see one device, but only the one that owns the address
 * carries its packets.
 */
public final class RailFinder {
  private RailFinder() {}

  /**
   * A device port with the GID to use on it.
   *
   * @param port numbered from 1
   */
  public record FoundRail(String device, int port, GidEntry gid, PortAttributes attributes) {}

  /** What was looked at: the rail, or why each candidate was refused. */
  public record Search(Optional<FoundRail> rail, String cause) {}

  /**
   * Looks through the devices in order.
   *
   * @param device only this device, or empty for any
   * @param port the port to use on it
   * @param local the local address that the peer talks to, or empty for any of this host
   */
  public static Search find(Optional<String> device, int port, Optional<InetAddress> local) {
    Availability availability = Rdma.availability();
    if (!availability.available()) {
      return new Search(Optional.empty(), availability.cause());
    }
    List<String> refused = new ArrayList<>();
    for (String name : Rdma.deviceNames()) {
      if (device.isPresent() && !device.get().equals(name)) {
        continue;
      }
      Search search = tryDevice(name, port, local);
      if (search.rail().isPresent()) {
        return search;
      }
      refused.add(search.cause());
    }
    return new Search(
        Optional.empty(),
        refused.isEmpty()
            ? "no RDMA device named " + device.orElse("?") + "; there are " + Rdma.deviceNames()
            : String.join("; ", refused));
  }

  private static Search tryDevice(String name, int port, Optional<InetAddress> local) {
    try (RdmaDevice device = Rdma.open(name)) {
      PortAttributes attributes = device.port(port);
      if (!attributes.active()) {
        return new Search(
            Optional.empty(),
            name + "/" + port + " is not active (state " + attributes.state() + ")");
      }
      Optional<GidEntry> gid = select(device, port, local);
      return gid.map(g -> new Search(Optional.of(new FoundRail(name, port, g, attributes)), ""))
          .orElseGet(() -> new Search(Optional.empty(), noGid(name, port, local)));
    } catch (RdmaException e) {
      return new Search(Optional.empty(), name + ": " + e.getMessage());
    }
  }

  /**
   * The GID to use now on an open device; looked up before each connect, since GID tables change.
   */
  public static Optional<GidEntry> select(
      RdmaDevice device, int port, Optional<InetAddress> local) {
    boolean ethernet = device.port(port).ethernet();
    List<GidEntry> own =
        device.gids(port).stream()
            .filter(e -> !ethernet || isOfThisHost(e.gid().toInetAddress()))
            .toList();
    return GidSelector.select(own, ethernet, local);
  }

  private static String noGid(String name, int port, Optional<InetAddress> local) {
    return name
        + "/"
        + port
        + " has no RoCE v2 GID with "
        + local.map(a -> "address " + a.getHostAddress()).orElse("an address of this host");
  }

  /** True if a network interface of this host (in this network namespace) has the address. */
  public static boolean isOfThisHost(InetAddress address) {
    try {
      return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException e) {
      return false;
    }
  }
}
