package io.s3rdma.client.cli;

import io.s3rdma.counters.CounterReader;
import io.s3rdma.counters.CounterSnapshot;
import io.s3rdma.rdma.GidEntry;
import io.s3rdma.rdma.PortAttributes;
import io.s3rdma.rdma.RailFinder;
import io.s3rdma.rdma.Rdma;
import io.s3rdma.rdma.RdmaDevice;
import io.s3rdma.rdma.RdmaException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What the doctor says of devices, ports, GIDs and counters. */
final class RdmaChecks {
  private static final String MAKE_ONE =
      "a card, or Soft-RoCE: modprobe rdma_rxe; rdma link add rxe0 type rxe netdev eth0. Only to"
          + " try: ci/softroce run -- COMMAND";

  private RdmaChecks() {}

  /** The library is there. */
  static List<Check> devices(Optional<RailFinder.FoundRail> chosen) {
    List<Check> checks = new ArrayList<>();
    try {
      List<String> names = Rdma.deviceNames();
      checks.add(
          names.isEmpty()
              ? Check.fail("devices", "none", MAKE_ONE)
              : Check.ok("devices", String.join(", ", names)));
      for (String name : names) {
        checks.addAll(device(name, chosen));
      }
    } catch (RdmaException e) {
      checks.add(Check.fail("devices", e.getMessage(), MAKE_ONE));
    }
    return checks;
  }

  private static List<Check> device(String name, Optional<RailFinder.FoundRail> chosen) {
    List<Check> checks = new ArrayList<>();
    try (RdmaDevice device = Rdma.open(name)) {
      for (int port = 1; port <= device.attributes().ports(); port++) {
        checks.add(port(device, port));
        for (GidEntry gid : device.gids(port)) {
          checks.add(gid(name, port, gid, chosen));
        }
        checks.add(counters(name, port));
      }
    } catch (RdmaException e) {
      checks.add(
          Check.fail(
              name, e.getMessage(), "may this user open /dev/infiniband/uverbs*? ls -l tells"));
    }
    return checks;
  }

  private static Check port(RdmaDevice device, int port) {
    PortAttributes attributes = device.port(port);
    String found =
        "%s/%d %s, MTU %d of %d, %s"
            .formatted(
                device.name(),
                port,
                attributes.active() ? "active" : "not active",
                attributes.activeMtuBytes(),
                attributes.maxMtuBytes(),
                attributes.ethernet() ? "RoCE" : "InfiniBand");
    if (!attributes.active()) {
      return Check.note("port", found, "ip link set NETDEV up; rdma link shows which it is");
    }
    boolean small = attributes.ethernet() && attributes.activeMtuBytes() < 4096;
    return small
        ? Check.note("port", found, "for full packets: ip link set NETDEV mtu 4200")
        : Check.ok("port", found);
  }

  private static Check gid(
      String name, int port, GidEntry gid, Optional<RailFinder.FoundRail> chosen) {
    boolean isChosen =
        chosen
            .filter(
                rail ->
                    rail.device().equals(name)
                        && rail.port() == port
                        && rail.gid().index() == gid.index())
            .isPresent();
    return Check.ok(
        "gid",
        "%s/%d index %d: %s, %s%s"
            .formatted(
                name,
                port,
                gid.index(),
                gid.type().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                gid.gid().toInetAddress().getHostAddress(),
                isChosen ? "  <- chosen" : ""));
  }

  /** Without them a transfer's verdict rests on sequence numbers alone. */
  private static Check counters(String name, int port) {
    CounterReader reader = new CounterReader(CounterReader.DEFAULT_ROOT, name, port);
    CounterSnapshot snapshot = reader.snapshot();
    String rail = name + "/" + port;
    return snapshot.counters().isEmpty()
        ? Check.note(
            "counters",
            rail + ": none readable",
            "verdicts then rest on sequence numbers; is /sys mounted?")
        : Check.ok(
            "counters",
            "%s: %d readable, at most %d ms old"
                .formatted(rail, snapshot.counters().size(), reader.freshAfter().toMillis()));
  }

  static Check verdict(RailFinder.Search search) {
    return search
        .rail()
        .map(
            rail ->
                Check.ok(
                    "rdma",
                    "usable: %s/%d at %s"
                        .formatted(
                            rail.device(),
                            rail.port(),
                            rail.gid().gid().toInetAddress().getHostAddress())))
        .orElseGet(() -> Check.fail("rdma", "not usable: " + search.cause(), ""));
  }
}
