package io.s3rdma.server;

import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.s3rdma.server.s3.LifecycleCounts;

/** What the lifecycle rules did, read when somebody asks. */
final class LifecycleMetrics {
  private LifecycleMetrics() {}

  static void register(PrometheusRegistry registry, LifecycleCounts counts) {
    CounterWithCallback.builder()
        .name("s3rdma_lifecycle_removals_total")
        .help("What lifecycle rules removed")
        .labelNames("kind")
        .callback(
            out -> {
              out.call((double) counts.expired().sum(), "current");
              out.call((double) counts.noncurrentRemoved().sum(), "noncurrent");
              out.call((double) counts.markersRemoved().sum(), "marker");
              out.call((double) counts.uploadsAborted().sum(), "upload");
            })
        .register(registry);
    CounterWithCallback.builder()
        .name("s3rdma_lifecycle_looked_total")
        .help("Versions and uploads that lifecycle passes looked at")
        .callback(out -> out.call((double) counts.looked().sum()))
        .register(registry);
    CounterWithCallback.builder()
        .name("s3rdma_lifecycle_passes_total")
        .help("Finished lifecycle passes")
        .callback(out -> out.call((double) counts.passes().sum()))
        .register(registry);
    CounterWithCallback.builder()
        .name("s3rdma_lifecycle_failures_total")
        .help("What lifecycle passes could not do; the log has the reasons")
        .callback(out -> out.call((double) counts.failures().sum()))
        .register(registry);
  }
}
