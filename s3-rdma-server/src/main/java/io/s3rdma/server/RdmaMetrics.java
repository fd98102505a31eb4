package io.s3rdma.server;

import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.s3rdma.counters.Verdict;
import io.s3rdma.rdma.wire.DeclineReason;
import io.s3rdma.server.transfer.Transfers;
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
        .name("s3rdma_rdma_failures_total")
        .help("RDMA transfers that failed; the recent ones are at /-/transfers")
        .callback(out -> out.call((double) rdma.path().counts().failures()))
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
        "s3rdma_rdma_drain_failures",
        "Failed transfers whose last completion never came",
        Transfers.Usage::drainFailures);
    gauge(
        registry,
        rdma,
        "s3rdma_rdma_stray_completions",
        "Completions that belonged to no open work request",
        Transfers.Usage::strays);
    RailMetrics.register(registry, rdma);
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
