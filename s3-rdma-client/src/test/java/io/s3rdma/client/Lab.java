package io.s3rdma.client;

import io.s3rdma.rdma.LiveObjects;
import io.s3rdma.rdma.RailFinder;
import io.s3rdma.rdma.Rdma;
import io.s3rdma.server.ConfigLoader;
import io.s3rdma.server.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A server in this process on the address of the lane's rail, with a bucket {@code lab}, and
 * clients for it.
 */
final class Lab implements AutoCloseable {
  static final String BUCKET = "lab";
  static final String ACCESS_KEY = "LABKEY";
  static final String SECRET_KEY = "lab-secret";
  static final String OTHER_KEY = "OTHERKEY";

  private final Path data;
  private final Server server;
  private final InetAddress address;
  private final S3RdmaClient client;
  private final boolean lean;

  Lab() throws IOException {
    this(Map.of());
  }

  /** With more configuration, keys without the root. */
  Lab(Map<String, Object> more) throws IOException {
    this(more, true);
  }

  /**
   * @param lean whether its clients send what they can without the SDK
   */
  Lab(Map<String, Object> more, boolean lean) throws IOException {
    this.lean = lean;
    data = Files.createTempDirectory("s3rdma-lab");
    address = railAddress();
    Map<String, Object> keys = new HashMap<>();
    keys.put("http.host", address.getHostAddress());
    keys.put("http.port", 0);
    keys.put("encryption.allow-customer-keys-over-http", "true");
    keys.put("store.directory", data.toString());
    keys.put("store.durability", "none");
    keys.put("rdma.staging-bytes", 32 << 20);
    keys.put("admin.allow-remote", true);
    keys.put("auth.credentials." + ACCESS_KEY, SECRET_KEY);
    keys.put("auth.credentials." + OTHER_KEY, SECRET_KEY);
    keys.putAll(more);
    server = Server.start(ConfigLoader.conclude(new ConfigLoader().load(null, keys)));
    client = builder().build();
    client.s3().createBucket(b -> b.bucket(BUCKET));
  }

  /** Address of the rail's GID; loopback where there is no rail, for tests of exactly that. */
  static InetAddress railAddress() {
    return RailFinder.find(Optional.empty(), 1, Optional.empty())
        .rail()
        .map(r -> r.gid().gid().toInetAddress())
        .orElse(InetAddress.getLoopbackAddress());
  }

  S3RdmaClientBuilder builder() {
    return S3RdmaClient.builder()
        .endpoint(endpoint())
        .credentials(ACCESS_KEY, SECRET_KEY)
        .leanHttp(lean);
  }

  URI endpoint() {
    return URI.create("http://" + address.getHostAddress() + ":" + server.address().getPort());
  }

  S3RdmaClient client() {
    return client;
  }

  Path data() {
    return data;
  }

  Server server() {
    return server;
  }

  static LiveObjects live() {
    return Rdma.liveObjects();
  }

  @Override
  public void close() throws IOException {
    client.close();
    server.close();
    try (Stream<Path> files = Files.walk(data)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
