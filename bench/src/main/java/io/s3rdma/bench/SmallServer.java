package io.s3rdma.bench;

import com.typesafe.config.Config;
import io.s3rdma.rdma.RailFinder;
import io.s3rdma.server.ConfigLoader;
import io.s3rdma.server.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A server in this process: the fake device joins only what is in one process. */
final class SmallServer implements AutoCloseable {
  static final String ACCESS_KEY = "BENCHKEY";
  static final String SECRET_KEY = "bench-secret";

  private final Server server;

  private SmallServer(Server server) {
    this.server = server;
  }

  static SmallServer start(Path data, Map<String, Object> more) throws IOException {
    InetAddress address =
        RailFinder.find(Optional.empty(), 1, Optional.empty())
            .rail()
            .map(found -> found.gid().gid().toInetAddress())
            .orElseThrow(() -> new IllegalStateException("there is no RDMA device"));
    Map<String, Object> settings = new HashMap<>();
    settings.put("http.host", address.getHostAddress());
    settings.put("http.port", 0);
    settings.put("store.directory", data.toString());
    settings.put("auth.credentials." + ACCESS_KEY, SECRET_KEY);
    settings.putAll(more);
    Config config = new ConfigLoader().load(null, settings);
    return new SmallServer(Server.start(ConfigLoader.conclude(config)));
  }

  URI endpoint() {
    return URI.create(server.endpoints().getFirst());
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
