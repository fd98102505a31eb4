package io.s3rdma.server;

import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.s3rdma.server.store.BucketMeta;
import io.s3rdma.server.store.LocalStore;
import io.s3rdma.server.store.ObjectStore;
import io.s3rdma.server.store.ScrubState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.ToDoubleFunction;

/** The store's figures, read when somebody asks. */
final class StoreMetrics {
  private StoreMetrics() {}

  static void register(PrometheusRegistry registry, LocalStore store) {
    scrub(registry, store, "s3rdma_scrub_files_total", "Data files read again", ScrubState::files);
    scrub(registry, store, "s3rdma_scrub_bytes_total", "Bytes read again", ScrubState::bytes);
    scrub(
        registry,
        store,
        "s3rdma_scrub_rotten_files_total",
        "Data files that were not what was written; the log names their objects",
        ScrubState::rotten);
    usage(
        registry,
        store,
        "s3rdma_bucket_bytes",
        "What a bucket holds, older versions and unfinished uploads included",
        ObjectStore.Usage::bytes);
    usage(
        registry,
        store,
        "s3rdma_bucket_items",
        "Versions with bytes and parts of unfinished uploads of a bucket",
        ObjectStore.Usage::items);
  }

  private static void scrub(
      PrometheusRegistry registry,
      LocalStore store,
      String name,
      String help,
      ToDoubleFunction<ScrubState> value) {
    CounterWithCallback.builder()
        .name(name)
        .help(help)
        .callback(out -> out.call(value.applyAsDouble(state(store))))
        .register(registry);
  }

  private static ScrubState state(LocalStore store) {
    try {
      return store.scrubState();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void usage(
      PrometheusRegistry registry,
      LocalStore store,
      String name,
      String help,
      ToDoubleFunction<ObjectStore.Usage> value) {
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .labelNames("bucket")
        .callback(
            out -> {
              for (BucketMeta bucket : store.listBuckets()) {
                try {
                  out.call(value.applyAsDouble(store.usage(bucket.name())), bucket.name());
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              }
            })
        .register(registry);
  }
}
