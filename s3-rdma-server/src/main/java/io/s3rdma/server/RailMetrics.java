package io.s3rdma.server;

import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.s3rdma.server.transfer.RailStatus;
import java.util.function.ToDoubleFunction;

/** Each rail's figures, read when somebody asks. */
final class RailMetrics {
  private RailMetrics() {}

  static void register(PrometheusRegistry registry, RdmaWiring rdma) {
    gauge(registry, rdma, "up", "1 for a rail that carries connections", s -> s.up() ? 1 : 0);
    gauge(registry, rdma, "connections", "Open connections", RailStatus::connections);
    gauge(registry, rdma, "staging_slots", "Staging slots", RailStatus::slots);
    gauge(registry, rdma, "staging_slots_used", "Slots in use", RailStatus::slotsInUse);
    counter(registry, rdma, "outages", "How often the rail went out", RailStatus::outages);
    counter(registry, rdma, "failures", "Transfers that failed over it", RailStatus::failures);
    CounterWithCallback.builder()
        .name("s3rdma_rail_bytes_total")
        .help("Bytes moved; write is to clients (GET)")
        .labelNames("rail", "direction")
        .callback(
            out -> {
              for (RailStatus rail : rdma.rails()) {
                out.call((double) rail.bytesWritten(), rail.name(), "write");
                out.call((double) rail.bytesRead(), rail.name(), "read");
              }
            })
        .register(registry);
  }

  private static void gauge(
      PrometheusRegistry registry,
      RdmaWiring rdma,
      String name,
      String help,
      ToDoubleFunction<RailStatus> value) {
    GaugeWithCallback.builder()
        .name("s3rdma_rail_" + name)
        .help(help)
        .labelNames("rail")
        .callback(out -> rdma.rails().forEach(r -> out.call(value.applyAsDouble(r), r.name())))
        .register(registry);
  }

  private static void counter(
      PrometheusRegistry registry,
      RdmaWiring rdma,
      String name,
      String help,
      ToDoubleFunction<RailStatus> value) {
    CounterWithCallback.builder()
        .name("s3rdma_rail_" + name + "_total")
        .help(help)
        .labelNames("rail")
        .callback(out -> rdma.rails().forEach(r -> out.call(value.applyAsDouble(r), r.name())))
        .register(registry);
  }
}
