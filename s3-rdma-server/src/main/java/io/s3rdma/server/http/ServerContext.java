package io.s3rdma.server.http;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** What all connections of a server share. */
final class ServerContext {
  private static final Logger LOG = LoggerFactory.getLogger(ServerContext.class);
  // Below this, reading a refused body costs less than a new connection.
  private static final long KEEP_BYTES_MAX = 1 << 20;

  /** The name of the request id in the log. */
  static final String REQUEST = "request";

  private final HttpConfig config;
  private final VirtualHosts virtualHosts;
  private final RequestProcessor processor;
  private final RequestObserver observer;
  private final Executor operations;
  private final ConnectionCount connections;
  private final BodyMemory bodyMemory;
  private final AtomicInteger running = new AtomicInteger();
  private volatile boolean stopping;

  ServerContext(
      HttpConfig config,
      RequestProcessor processor,
      RequestObserver observer,
      Executor operations) {
    this.config = config;
    this.virtualHosts = new VirtualHosts(config.hostSuffixes());
    this.processor = processor;
    this.observer = observer;
    this.connections = new ConnectionCount(config.limits());
    this.bodyMemory = new BodyMemory(config.limits().bodyBufferBytesTotalMax());
    this.operations = operations;
  }

  /** Runs the operation on the pool; a full pool is a refusal, never a wait. */
  void submit(Exchange exchange, Consumer<S3Response> answer) {
    running.incrementAndGet();
    try {
      operations.execute(() -> runMarked(exchange, answer));
    } catch (RejectedExecutionException e) {
      running.decrementAndGet();
      answer.accept(exchange.refuse(new S3Exception(S3ErrorCode.SLOW_DOWN)));
    }
  }

  /** Every line that is logged meanwhile says for whom. */
  private void runMarked(Exchange exchange, Consumer<S3Response> answer) {
    try (var _ = MDC.putCloseable(REQUEST, exchange.requestId())) {
      run(exchange, answer);
    }
  }

  private void run(Exchange exchange, Consumer<S3Response> answer) {
    S3Response response;
    try {
      response = exchange.run(processor);
    } catch (Throwable e) { // an Error must not leave a client without an answer
      LOG.error("request {} failed", exchange.requestId(), e);
      response = exchange.refuse(new S3Exception(S3ErrorCode.INTERNAL_ERROR));
    } finally {
      running.decrementAndGet();
    }
    answer.accept(response);
  }

  HttpConfig config() {
    return config;
  }

  VirtualHosts virtualHosts() {
    return virtualHosts;
  }

  RequestObserver observer() {
    return observer;
  }

  long keepBytesMax() {
    return KEEP_BYTES_MAX;
  }

  ConnectionCount connections() {
    return connections;
  }

  BodyMemory bodyMemory() {
    return bodyMemory;
  }

  int running() {
    return running.get();
  }

  boolean isStopping() {
    return stopping;
  }

  void stop() {
    stopping = true;
  }
}
