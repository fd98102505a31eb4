package io.s3rdma.server.http;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Listeners with an operation of the test's own behind {@code /special/}; no store. */
final class HttpLab {
  static final String KEY = "id";
  static final String SECRET = "secret";

  private HttpLab() {}

  static HttpServer server(Operation operation, int threads, int queue) {
    return server(config(Optional.empty(), threads, queue), operation);
  }

  static HttpConfig config(Optional<TlsConfig> tls) {
    return config(tls, 4, 16);
  }

  private static HttpConfig config(Optional<TlsConfig> tls, int threads, int queue) {
    HttpLimits limits = new HttpLimits(16, 0, 4096, 8192, 65_536, 1 << 24, 1 << 20, 1, 10, 0, 1);
    return new HttpConfig("127.0.0.1", 0, tls, List.of("localhost"), 2, threads, queue, 5, limits);
  }

  static HttpServer server(HttpConfig config, Operation operation) {
    return server(config, operation, answered -> {});
  }

  /** Of the usual configuration but these limits. */
  static HttpServer server(HttpLimits limits, Operation operation, RequestObserver observer) {
    HttpConfig usual = config(Optional.empty());
    HttpConfig config =
        new HttpConfig(
            usual.host(),
            usual.port(),
            usual.tls(),
            usual.hostSuffixes(),
            usual.eventLoopThreads(),
            16,
            usual.operationQueueMax(),
            usual.stopTimeoutSeconds(),
            limits);
    return server(config, operation, observer);
  }

  private static HttpServer server(
      HttpConfig config, Operation operation, RequestObserver observer) {
    return new HttpServer(
        config,
        "us-east-1",
        new Credentials(Map.of(KEY, SECRET)),
        Router.builder().special(Map.of("/special/", operation)).build(),
        e -> new S3Exception(S3ErrorCode.INTERNAL_ERROR),
        observer);
  }
}
