package io.s3rdma.server;

import static java.util.stream.Collectors.joining;

import io.s3rdma.counters.CounterReader;
import io.s3rdma.rdma.PortName;
import io.s3rdma.rdma.wire.DeclineReason;
import io.s3rdma.server.evidence.PortsEvidence;
import io.s3rdma.server.flow.RdmaPath;
import io.s3rdma.server.flow.RdmaSettings;
import io.s3rdma.server.net.Subnet;
import io.s3rdma.server.transfer.RailStatus;
import io.s3rdma.server.transfer.TransferConfig;
import io.s3rdma.server.transfer.TransferException;
import io.s3rdma.server.transfer.Transfers;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the RDMA side from the configuration, or says in one line why there is none. */
final class RdmaWiring implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RdmaWiring.class);
  private static final int DRAIN_TIMEOUT_MILLIS = 5_000;

  private final RdmaPath path;
  private final Optional<Transfers> transfers;
  private final Optional<PortsEvidence> evidence;
  private final String state;

  private RdmaWiring(
      RdmaPath path,
      Optional<Transfers> transfers,
      Optional<PortsEvidence> evidence,
      String state) {
    this.path = path;
    this.transfers = transfers;
    this.evidence = evidence;
    this.state = state;
  }

  static RdmaWiring open(RdmaConfig config) {
    RdmaSettings settings =
        new RdmaSettings(
            config.deadlineMillisDefault(),
            config.deadlineMillisMax(),
            config.objectBytesMin(),
            config.clientSubnets().stream().map(Subnet::parse).toList(),
            config.allowUnsignedConnect(),
            config.requirePeerProof());
    if (config.enabled() == RdmaConfig.Enabled.OFF) {
      return none(DeclineReason.RDMA_DISABLED, settings, "off by configuration");
    }
    try {
      Transfers transfers = Transfers.open(transferConfig(config));
      PortsEvidence evidence = PortsEvidence.under(CounterReader.DEFAULT_ROOT);
      // The port's cache is switched off now, not at its first transfer.
      transfers.ports().forEach(port -> evidence.of(port.device(), port.port()));
      String rails = transfers.ports().stream().map(PortName::toString).collect(joining(", "));
      LOG.info("RDMA over {}", rails);
      return new RdmaWiring(
          RdmaPath.over(transfers, evidence, settings),
          Optional.of(transfers),
          Optional.of(evidence),
          rails);
    } catch (TransferException e) {
      if (config.enabled() == RdmaConfig.Enabled.ON) {
        throw e;
      }
      LOG.warn("no RDMA, every transfer goes by HTTP: {}", e.getMessage());
      return none(DeclineReason.NO_DEVICE, settings, e.getMessage());
    }
  }

  private static RdmaWiring none(DeclineReason reason, RdmaSettings settings, String why) {
    return new RdmaWiring(RdmaPath.none(reason, settings), Optional.empty(), Optional.empty(), why);
  }

  private static TransferConfig transferConfig(RdmaConfig config) {
    return new TransferConfig(
        config.devices(),
        config.port(),
        address(config.gidAddress()),
        config.chunkBytes(),
        config.chunksInFlight(),
        config.stagingBytes(),
        config.hotBytes(),
        // With one processor whoever spins keeps the peer, or the kernel, from its work.
        Runtime.getRuntime().availableProcessors() > 1 ? config.completionSpins() : 0,
        config.transportTimeout(),
        config.transportRetries(),
        DRAIN_TIMEOUT_MILLIS,
        config.connectionIdleSeconds(),
        config.connectionsMax(),
        config.connectionsPerKeyMax(),
        config.connectsPerSecondMax(),
        config.peerLimits());
  }

  private static Optional<InetAddress> address(String text) {
    try {
      return text.isEmpty() ? Optional.empty() : Optional.of(InetAddress.getByName(text));
    } catch (UnknownHostException e) {
      throw new ConfigException("rdma.gid-address '" + text + "' is not an IP address");
    }
  }

  RdmaPath path() {
    return path;
  }

  Optional<Transfers> transfers() {
    return transfers;
  }

  Optional<PortsEvidence> evidence() {
    return evidence;
  }

  /** The rails, or why there is none; for health and logs. */
  String state() {
    return state;
  }

  /** Each rail's state; empty without RDMA. */
  List<RailStatus> rails() {
    return transfers.map(Transfers::rails).orElse(List.of());
  }

  @Override
  public void close() {
    transfers.ifPresent(Transfers::close);
    evidence.ifPresent(PortsEvidence::close);
  }
}
