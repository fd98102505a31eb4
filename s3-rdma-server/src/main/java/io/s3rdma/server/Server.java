package io.s3rdma.server;

import io.s3rdma.server.admin.AdminOperation;
import io.s3rdma.server.admin.Metrics;
import io.s3rdma.server.flow.GetFlow;
import io.s3rdma.server.flow.PutFlow;
import io.s3rdma.server.http.Credentials;
import io.s3rdma.server.http.HttpServer;
import io.s3rdma.server.http.Operation;
import io.s3rdma.server.http.Router;
import io.s3rdma.server.http.Router.Level;
import io.s3rdma.server.s3.S3Routes;
import io.s3rdma.server.store.LocalStore;
import io.s3rdma.server.store.ObjectStore;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The wiring. Start order: store, then HTTP. Stop order is the reverse: no new requests, running
 * ones end or are cancelled, then the store closes.
 */
public final class Server implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Server.class);

  private final ObjectStore store;
  private final HttpServer http;
  private final InetSocketAddress address;
  private final Instant started = Instant.now();

  private Server(ServerConfig config, ObjectStore store) throws IOException {
    this.store = store;
    Metrics metrics = new Metrics();
    this.http =
        new HttpServer(
            config.http(),
            config.auth().region(),
            new Credentials(config.auth().secretsByAccessKey()),
            router(config, metrics),
            Refusals::of,
            metrics);
    this.address = startHttp();
  }

  /** Starts with the local store; nothing runs on when this throws. */
  public static Server start(ServerConfig config) throws IOException {
    ObjectStore store = new LocalStore(config.store());
    try {
      Server server = new Server(config, store);
      LOG.info("started on {} with data in {}", server.address, config.store().directory());
      return server;
    } catch (IOException | RuntimeException e) {
      store.close();
      throw e;
    }
  }

  public InetSocketAddress address() {
    return address;
  }

  /** Idempotent. */
  @Override
  public void close() throws IOException {
    http.close();
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
    GetFlow get = new GetFlow(store);
    PutFlow put = new PutFlow(store, config.objectBytesMax());
    Operation admin = new AdminOperation(config.admin(), metrics, this::health, List::of);
    return S3Routes.register(Router.builder(), store, config.auth().region())
        .route("GET", Level.OBJECT, "", get::handle)
        .route("HEAD", Level.OBJECT, "", get::head)
        .route("PUT", Level.OBJECT, "", put::handle)
        .special(Map.of(AdminOperation.PREFIX, admin))
        .build();
  }

  private Map<String, Object> health() {
    long seconds = Duration.between(started, Instant.now()).toSeconds();
    return Map.of("status", "ok", "uptimeSeconds", seconds);
  }
}
