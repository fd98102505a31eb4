package io.s3rdma.server.evidence;

import io.s3rdma.counters.Verdict;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The evidence of every rail of a server: each port is its own witness, and a rail that went out
 * and came back keeps its counts. Thread-safe.
 */
public final class PortsEvidence implements AutoCloseable {
  private final Path countersRoot;
  private final Map<Port, Evidence> ports = new ConcurrentHashMap<>();

  private record Port(String device, int number) {}

  private PortsEvidence(Path countersRoot) {
    this.countersRoot = countersRoot;
  }

  /**
   * Evidence over the counters of device ports.
   *
   * @param countersRoot /sys/class/infiniband, or a folder of the same form in tests
   */
  public static PortsEvidence under(Path countersRoot) {
    return new PortsEvidence(countersRoot);
  }

  /** The evidence of one port, numbered from 1. */
  public Evidence of(String device, int port) {
    return ports.computeIfAbsent(
        new Port(device, port), p -> Evidence.ofPort(countersRoot, p.device(), p.number()));
  }

  /** After the last transfer. */
  @Override
  public void close() {
    ports.values().forEach(Evidence::close);
  }

  /** Judged transfers by verdict since the start, over all ports. */
  public long count(Verdict verdict) {
    return ports.values().stream().mapToLong(e -> e.count(verdict)).sum();
  }
}
