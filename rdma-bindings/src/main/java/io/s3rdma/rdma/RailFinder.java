package io.s3rdma.rdma;

import io.s3rdma.rdma.wire.Gid;
import java.net.InetAddress;
import java.net.InterfaceAddress;
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
      Search search = look(new PortName(name, port), local);
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

  /**
   * The ports that are there, usable or not, in the order of libibverbs.
   *
   * @param wanted devices ({@code mlx5_0}) or ports ({@code mlx5_0/2}); empty for all
   * @param port the port of a device that is named without one; 0 for all
   * @throws RdmaException if a device that is wanted is not there
   */
  public static List<PortName> ports(List<String> wanted, int port) {
    List<PortName> found = new ArrayList<>();
    List<String> there = Rdma.deviceNames();
    for (String name : wanted.isEmpty() ? there : wanted) {
      int slash = name.indexOf('/');
      String device = slash < 0 ? name : name.substring(0, slash);
      if (!there.contains(device)) {
        throw RdmaException.unavailable("no RDMA device named " + device + "; there are " + there);
      }
      int number = slash < 0 ? port : Integer.parseInt(name.substring(slash + 1));
      if (number > 0) {
        found.add(new PortName(device, number));
      } else {
        addAll(found, device);
      }
    }
    return List.copyOf(found);
  }

  private static void addAll(List<PortName> found, String name) {
    try (RdmaDevice device = Rdma.open(name)) {
      for (int port = 1; port <= device.attributes().ports(); port++) {
        found.add(new PortName(name, port));
      }
    }
  }

  /** Whether a port can be used now: the rail, or why not. */
  public static Search look(PortName at, Optional<InetAddress> local) {
    String name = at.device();
    int port = at.port();
    try (RdmaDevice device = Rdma.open(name)) {
      PortAttributes attributes = device.port(port);
      if (!attributes.active()) {
        return new Search(
            Optional.empty(), at + " is not active (state " + attributes.state() + ")");
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

  /**
   * How many leading bits of a GID of this host name its network: what a peer shares if it is
   * reached without a router.
   */
  public static int networkBits(Gid gid, boolean ethernet) {
    if (!ethernet) {
      return 64; // InfiniBand: the subnet prefix
    }
    InetAddress address = gid.toInetAddress();
    int mapped = gid.isIpv4Mapped() ? 96 : 0;
    if (address.isLoopbackAddress()) {
      return mapped > 0 ? mapped + 8 : 128; // 127.0.0.0/8, ::1
    }
    try {
      NetworkInterface at = NetworkInterface.getByInetAddress(address);
      if (at != null) {
        for (InterfaceAddress own : at.getInterfaceAddresses()) {
          if (own.getAddress().equals(address)) {
            return mapped + own.getNetworkPrefixLength();
          }
        }
      }
    } catch (SocketException e) {
      // As for an address that is none of ours: it shares a network with itself only.
    }
    return 128;
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
