package io.s3rdma.server;

import io.s3rdma.rdma.wire.RdmaHeaders;
import io.s3rdma.server.admin.AdminOperation;
import io.s3rdma.server.admin.Metrics;
import io.s3rdma.server.document.Tags;
import io.s3rdma.server.flow.ConnectFlow;
import io.s3rdma.server.flow.ObjectRoutes;
import io.s3rdma.server.flow.ProofFlow;
import io.s3rdma.server.http.Authority;
import io.s3rdma.server.http.FormRules;
import io.s3rdma.server.http.HttpServer;
import io.s3rdma.server.http.Operation;
import io.s3rdma.server.http.Router;
import io.s3rdma.server.s3.BucketOwners;
import io.s3rdma.server.s3.CorsAnswers;
import io.s3rdma.server.s3.LifecycleRunner;
import io.s3rdma.server.s3.S3Routes;
import io.s3rdma.server.store.LocalStore;
import io.s3rdma.server.store.ObjectStore;
import io.s3rdma.server.transfer.Transfers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The wiring. Start order: store, rail, keys, HTTP. Stop order is the reverse: no new requests,
 * running ones end or are cancelled, the lifecycle pass ends, connections and rail close, then the
 * store.
 */
public final class Server implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Server.class);

  private final ObjectStore store;
  private final RdmaWiring rdma;
  private final AccessKeys keys;
  private final HttpServer http;
  private final LifecycleRunner lifecycle;
  private final InetSocketAddress address;
  private final Instant started = Instant.now();

  private Server(ServerConfig config, LocalStore store, RdmaWiring rdma, AccessKeys keys)
      throws IOException {
    this.store = store;
    this.rdma = rdma;
    this.keys = keys;
    Metrics metrics = new Metrics();
    RdmaMetrics.register(metrics.registry(), rdma);
    StoreMetrics.register(metrics.registry(), store);
    this.http =
        new HttpServer(
            config.http(),
            new Authority(
                config.auth().region(),
                keys.credentials(),
                new BucketOwners(store),
                config.auth().allowAnonymous()),
            router(config, metrics),
            new FormRules(Tags::toHeader, config.auth().formSignatureV2()),
            Refusals::of,
            new CorsAnswers(store),
            metrics);
    this.lifecycle = new LifecycleRunner(store, config.lifecycle(), InstantSource.system());
    LifecycleMetrics.register(metrics.registry(), lifecycle.counts());
    this.address = startHttp();
    lifecycle.start();
  }

  /** Starts with the local store; nothing runs on when this throws. */
  public static Server start(ServerConfig config) throws IOException {
    LocalStore store = new LocalStore(config.store(), config.encryption());
    RdmaWiring rdma = null;
    AccessKeys keys = null;
    try {
      rdma = RdmaWiring.open(config.rdma());
      keys = AccessKeys.open(config.auth());
      Server server = new Server(config, store, rdma, keys);
      LOG.info("started on {} with data in {}", server.endpoints(), config.store().directory());
      return server;
    } catch (IOException | RuntimeException e) {
      if (keys != null) {
        keys.close();
      }
      if (rdma != null) {
        rdma.close();
      }
      store.close();
      throw e;
    }
  }

  /** Of plain HTTP, or of HTTPS where there is no plain HTTP. */
  public InetSocketAddress address() {
    return address;
  }

  /** Where clients reach it, plain HTTP first. */
  public List<String> endpoints() {
    List<String> endpoints = new ArrayList<>();
    for (Map.Entry<String, InetSocketAddress> listener : http.addresses().entrySet()) {
      String host = listener.getValue().getAddress().getHostAddress();
      String shown = host.contains(":") ? "[" + host + "]" : host;
      endpoints.add(listener.getKey() + "://" + shown + ":" + listener.getValue().getPort());
    }
    return endpoints;
  }

  /** Idempotent. */
  @Override
  public void close() throws IOException {
    rdma.transfers().ifPresent(Transfers::startDraining);
    http.close();
    keys.close();
    lifecycle.close();
    rdma.close();
    store.close();
    LOG.info("stopped");
  }

  private InetSocketAddress startHttp() throws IOException {
    try {
      return http.start();
    } catch (IOException e) {
      http.close();
      throw e;
    }
  }

  private Router router(ServerConfig config, Metrics metrics) {
    ObjectRoutes objects =
        new ObjectRoutes(store, config.objectBytesMax(), config.encryption(), rdma.path());
    Operation admin =
        new AdminOperation(config.admin(), metrics, this::health, rdma.path().log()::recent);
    ConnectFlow connections = new ConnectFlow(rdma.path());
    ProofFlow proofs = new ProofFlow(rdma.path());
    Router.Builder router =
        S3Routes.register(Router.builder(), store, config.auth().region(), Refusals::of);
    return objects
        .register(router)
        .special(
            Map.of(
                AdminOperation.PREFIX,
                admin,
                RdmaHeaders.CONNECT_PATH,
                connections.connecting(),
                RdmaHeaders.DISCONNECT_PATH,
                connections.disconnecting(),
                RdmaHeaders.CHALLENGE_PATH,
                proofs.challenging(),
                RdmaHeaders.CONFIRM_PATH,
                proofs.confirming()))
        .build();
  }

  private Map<String, Object> health() {
    long seconds = Duration.between(started, Instant.now()).toSeconds();
    return Map.of(
        "status", "ok", "uptimeSeconds", seconds, "rdma", rdma.state(), "rails", rdma.rails());
  }
}
