package io.s3rdma.server.transfer;

import io.s3rdma.rdma.PortName;
import io.s3rdma.rdma.RailFinder;
import io.s3rdma.rdma.Rdma;
import io.s3rdma.rdma.RdmaException;
import io.s3rdma.rdma.wire.DeclineReason;
import io.s3rdma.rdma.wire.Gid;
import io.s3rdma.server.transfer.TransferException.Failure;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Every rail of the server; the list never changes. Thread-safe.
 *
 * <p>Ports that the configuration names are rails whatever their state, so that one that comes up
 * late is used then. Where it names none, those that are usable at the start are: nothing tells a
 * port that is down from one that is not meant for this host.
 */
final class Rails {
  private final List<Rail> rails;

  private Rails(List<Rail> rails) {
    this.rails = rails;
  }

  /** Opens every rail; fails with every cause if none can be used now. */
  static Rails open(TransferConfig config) {
    List<PortName> ports = usablePorts(config);
    RailShare share = RailShare.of(config, ports.size());
    List<Rail> rails = new ArrayList<>();
    try {
      for (PortName port : ports) {
        rails.add(new Rail(port, share, config));
      }
      return new Rails(List.copyOf(rails));
    } catch (TransferException e) {
      rails.forEach(Rail::close);
      throw e;
    } catch (RdmaException e) {
      rails.forEach(Rail::close);
      throw new TransferException(Failure.NO_RAIL, e.getMessage(), e);
    }
  }

  private static List<PortName> usablePorts(TransferConfig config) {
    if (!Rdma.availability().available()) {
      throw new TransferException(Failure.NO_RAIL, Rdma.availability().cause());
    }
    try {
      List<PortName> candidates = RailFinder.ports(config.devices(), config.port());
      List<PortName> usable = new ArrayList<>();
      List<String> refused = new ArrayList<>();
      for (PortName port : candidates) {
        RailFinder.Search search = RailFinder.look(port, config.gidAddress());
        if (search.rail().isPresent()) {
          usable.add(port);
        } else {
          refused.add(search.cause());
        }
      }
      if (usable.isEmpty()) {
        throw new TransferException(Failure.NO_RAIL, String.join("; ", refused));
      }
      return config.devices().isEmpty() ? usable : candidates;
    } catch (RdmaException e) {
      throw new TransferException(Failure.NO_RAIL, e.getMessage(), e);
    }
  }

  void watch(Rail.Connections connections) {
    rails.forEach(rail -> rail.watch(connections));
  }

  /** The rail for a connection with this client, or RAIL_OUT. */
  OpenRail choose(Gid client, Optional<InetAddress> httpLocal) {
    int chosen = RailChoice.choose(rails.stream().map(Rail::candidate).toList(), client, httpLocal);
    // It may have gone out since it was asked.
    return Optional.of(chosen)
        .filter(i -> i >= 0)
        .flatMap(i -> rails.get(i).usable())
        .orElseThrow(
            () ->
                new TransferException(
                    Failure.RAIL_OUT, "no rail that reaches " + client + " is up"));
  }

  /** Why none can be used now, or empty. */
  Optional<DeclineReason> unusable() {
    if (rails.stream().anyMatch(rail -> rail.usable().isPresent())) {
      return Optional.empty();
    }
    boolean allFailed = rails.stream().allMatch(Rail::isFailed);
    return Optional.of(allFailed ? DeclineReason.NO_DEVICE : DeclineReason.PORT_DOWN);
  }

  /** What the rail of this name carried. */
  RailCounts counts(PortName name) {
    return rails.stream()
        .filter(rail -> rail.name().equals(name))
        .findFirst()
        .orElseThrow()
        .counts();
  }

  List<PortName> ports() {
    return rails.stream().map(Rail::name).toList();
  }

  /** Transfers that wait for staging memory now. */
  int waiting() {
    return rails.stream()
        .flatMap(rail -> rail.usable().stream())
        .mapToInt(rail -> rail.staging().waiters())
        .sum();
  }

  List<RailStatus> status() {
    return rails.stream().map(Rail::status).toList();
  }

  /** After all connections are gone. */
  void close() {
    rails.forEach(Rail::stopWatching);
    rails.forEach(Rail::close);
  }
}
