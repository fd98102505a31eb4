package io.s3rdma.server;

import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.s3rdma.counters.Counter;
import io.s3rdma.counters.CounterSnapshot;
import io.s3rdma.counters.Verdict;
import io.s3rdma.rdma.PortName;
import io.s3rdma.rdma.wire.DeclineReason;
import io.s3rdma.server.evidence.Evidence;
import io.s3rdma.server.transfer.Transfers;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The RDMA side's figures, read when somebody asks. */
final class RdmaMetrics {
  private RdmaMetrics() {}

  static void register(PrometheusRegistry registry, RdmaWiring rdma) {
    CounterWithCallback.builder()
        .name("s3rdma_rdma_declines_total")
        .help("Tokens declined, by reason")
        .labelNames("reason")
        .callback(
            out -> {
              for (DeclineReason reason : DeclineReason.values()) {
                out.call((double) rdma.path().counts().declines(reason), reason.wireText());
              }
            })
        .register(registry);
    CounterWithCallback.builder()
        .name("s3rdma_rdma_verdicts_total")
        .help("Finished RDMA transfers by verdict of the evidence; contradicted is an alarm")
        .labelNames("verdict")
        .callback(
            out ->
                rdma.evidence()
                    .ifPresent(
                        e -> {
                          for (Verdict verdict : Verdict.values()) {
                            out.call((double) e.count(verdict), verdict.wireText());
                          }
                        }))
        .register(registry);
    faults(registry, rdma);
    portCounters(registry, rdma);
    usage(registry, rdma);
    RailMetrics.register(registry, rdma);
  }

  private static void usage(PrometheusRegistry registry, RdmaWiring rdma) {
    gauge(
        registry,
        rdma,
        "s3rdma_rdma_connections",
        "Open RC connections",
        Transfers.Usage::connections);
    gauge(
        registry,
        rdma,
        "s3rdma_staging_slots",
        "Staging slots of registered memory",
        Transfers.Usage::slots);
    gauge(
        registry,
        rdma,
        "s3rdma_staging_slots_used",
        "Staging slots leased by transfers",
        Transfers.Usage::slotsInUse);
    gauge(
        registry,
        rdma,
        "s3rdma_staging_slots_lost",
        "Staging slots out of use because a drain did not end",
        Transfers.Usage::slotsLost);
    gauge(
        registry,
        rdma,
        "s3rdma_hot_chunks_sent",
        "Chunks that were sent from hot memory without a read of the store",
        Transfers.Usage::hotHits);
    gauge(
        registry,
        rdma,
        "s3rdma_hot_chunks_filled",
        "Chunks that were read from the store into hot memory",
        Transfers.Usage::hotFills);
    gauge(
        registry,
        rdma,
        "s3rdma_rdma_drain_failures",
        "Failed transfers whose last completion never came",
        Transfers.Usage::drainFailures);
    gauge(
        registry,
        rdma,
        "s3rdma_rdma_stray_completions",
        "Completions that belonged to no open work request",
        Transfers.Usage::strays);
  }

  private static void faults(PrometheusRegistry registry, RdmaWiring rdma) {
    CounterWithCallback.builder()
        .name("s3rdma_rdma_failures_total")
        .help("RDMA transfers that failed; the recent ones are at /-/transfers")
        .callback(out -> out.call((double) rdma.path().counts().failures()))
        .register(registry);
    CounterWithCallback.builder()
        .name("s3rdma_rdma_cool_downs_total")
        .help("Peers that used up their budget of faults and were served by HTTP for a while")
        .callback(out -> rdma.transfers().ifPresent(t -> out.call((double) t.coolDowns())))
        .register(registry);
  }

  private static void portCounters(PrometheusRegistry registry, RdmaWiring rdma) {
    GaugeWithCallback.builder()
        .name("s3rdma_rdma_port_counter")
        .help("The device port's own counters, which all of its users move; the name is sysfs's")
        .labelNames("device", "port", "counter")
        .callback(
            out ->
                ports(rdma)
                    .forEach(
                        (port, evidence) -> {
                          CounterSnapshot counters = evidence.port();
                          for (Counter counter : counters.counters()) {
                            out.call(
                                (double) counters.value(counter).orElseThrow(),
                                port.device(),
                                Integer.toString(port.port()),
                                counter.fileName());
                          }
                        }))
        .register(registry);
    CounterWithCallback.builder()
        .name("s3rdma_rdma_port_contradictions_total")
        .help("Windows in which the port's counters saw less than was moved; above 0 is an alarm")
        .callback(
            out ->
                out.call(
                    (double)
                        ports(rdma).values().stream()
                            .mapToLong(Evidence::portContradictions)
                            .sum()))
        .register(registry);
  }

  private static Map<PortName, Evidence> ports(RdmaWiring rdma) {
    Map<PortName, Evidence> ports = new LinkedHashMap<>();
    rdma.transfers()
        .ifPresent(
            transfers ->
                transfers
                    .ports()
                    .forEach(
                        port ->
                            ports.put(
                                port,
                                rdma.evidence().orElseThrow().of(port.device(), port.port()))));
    return ports;
  }

  private static void gauge(
      PrometheusRegistry registry,
      RdmaWiring rdma,
      String name,
      String help,
      ToDoubleFunction<Transfers.Usage> value) {
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .callback(out -> rdma.transfers().ifPresent(t -> out.call(value.applyAsDouble(t.usage()))))
        .register(registry);
  }
}
