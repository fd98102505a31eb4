package io.s3rdma.server.admin;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.s3rdma.server.http.RequestObserver;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Locale;

/**
 * What Prometheus sees. Others register their own metrics with {@link #registry}.
 *
 * <p>Without exemplars: there are no traces to name in them, and the library wakes a thread of its
 * own for every few observations to thin them out.
 */
public final class Metrics implements RequestObserver {
  private static final double NANOS_PER_SECOND = 1e9;

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final Counter requests =
      Counter.builder()
          .withoutExemplars()
          .name("s3rdma_requests_total")
          .help("Answered requests")
          .labelNames("method", "status", "transport")
          .register(registry);
  private final Counter bytes =
      Counter.builder()
          .withoutExemplars()
          .name("s3rdma_bytes_total")
          .help("Bytes of bodies, or moved outside them by the transport")
          .labelNames("direction", "transport")
          .register(registry);
  private final Histogram seconds =
      Histogram.builder()
          .withoutExemplars()
          .name("s3rdma_request_seconds")
          .help("From the head's arrival to the answer's last octet")
          .labelNames("method", "transport")
          .classicOnly()
          .classicExponentialUpperBounds(0.0002, 2, 18)
          .register(registry);

  private final Gauge connections =
      Gauge.builder()
          .name("s3rdma_http_connections")
          .help("Open HTTP and HTTPS connections")
          .register(registry);
  private final Counter refused =
      Counter.builder()
          .withoutExemplars()
          .name("s3rdma_http_connections_refused_total")
          .help("Connections closed at once, by reason")
          .labelNames("reason")
          .register(registry);
  private final Counter timedOut =
      Counter.builder()
          .withoutExemplars()
          .name("s3rdma_http_timeouts_total")
          .help("Connections whose client kept the server waiting, by what did not come")
          .labelNames("awaited")
          .register(registry);

  public PrometheusRegistry registry() {
    return registry;
  }

  @Override
  public void answered(Answered answered) {
    String method = label(answered.method());
    String transport = answered.transport();
    requests.labelValues(method, Integer.toString(answered.status()), transport).inc();
    if (answered.bytesIn() > 0) {
      bytes.labelValues("in", transport).inc(answered.bytesIn());
    }
    if (answered.bytesOut() > 0) {
      bytes.labelValues("out", transport).inc(answered.bytesOut());
    }
    seconds.labelValues(method, transport).observe(answered.nanos() / NANOS_PER_SECOND);
  }

  @Override
  public void connectionOpened() {
    connections.inc();
  }

  @Override
  public void connectionClosed() {
    connections.dec();
  }

  @Override
  public void connectionRefused(Refusal reason) {
    refused.labelValues(reason.name().toLowerCase(Locale.ROOT)).inc();
  }

  @Override
  public void connectionTimedOut(Timeout awaited) {
    timedOut.labelValues(awaited.name().toLowerCase(Locale.ROOT)).inc();
  }

  byte[] text() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream(4096);
    PrometheusTextFormatWriter.create().write(out, registry.scrape());
    return out.toByteArray();
  }

  /** A client must not be able to make labels. */
  private static String label(String method) {
    return switch (method) {
      case "GET", "HEAD", "PUT", "POST", "DELETE" -> method;
      default -> "other";
    };
  }
}
