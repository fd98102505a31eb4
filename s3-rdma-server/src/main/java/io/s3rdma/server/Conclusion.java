package io.s3rdma.server;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import io.s3rdma.server.admin.AdminConfig;
import io.s3rdma.server.encryption.EncryptionConfig;
import io.s3rdma.server.flow.RdmaSettings;
import io.s3rdma.server.http.HttpConfig;
import io.s3rdma.server.http.HttpLimits;
import io.s3rdma.server.http.TlsConfig;
import io.s3rdma.server.s3.LifecycleConfig;
import io.s3rdma.server.store.StoreConfig;
import io.s3rdma.server.transfer.PeerLimits;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** From keys to records; every value is checked, and a refusal names its key. */
final class Conclusion {
  private final Config config;

  private Conclusion(Config config) {
    this.config = config;
  }

  static ServerConfig of(Config config) {
    Conclusion conclusion = new Conclusion(config);
    return new ServerConfig(
        conclusion.log(),
        conclusion.http(),
        conclusion.auth(),
        conclusion.store(),
        new AdminConfig(config.getBoolean("admin.allow-remote")),
        conclusion.rdma(),
        conclusion.lifecycle(),
        conclusion.encryption(),
        conclusion.atLeast(0L, "store.object-bytes-max"));
  }

  private LogConfig log() {
    return new LogConfig(
        oneOf(LogConfig.Format.class, "log.format"),
        oneOf(LogConfig.Level.class, "log.level"),
        config.getBoolean("log.access"));
  }

  private HttpConfig http() {
    int processors = Runtime.getRuntime().availableProcessors();
    int loops = atLeast(0, "http.event-loop-threads");
    Optional<TlsConfig> tls = tls();
    int port = atLeast(HttpConfig.OFF, "http.port");
    if (port == HttpConfig.OFF && tls.isEmpty()) {
      throw new ConfigException(
          "http.port is off and so is HTTPS; give a port or http.tls.certificate-file");
    }
    return new HttpConfig(
        config.getString("http.host"),
        port,
        tls,
        hostSuffixes(),
        loops == 0 ? Math.max(2, processors / 2) : loops,
        atLeast(1, "http.operation-threads"),
        atLeast(1, "http.operation-queue-max"),
        atLeast(0, "http.stop-timeout-seconds"),
        httpLimits());
  }

  private List<String> hostSuffixes() {
    List<String> suffixes = config.getStringList("http.host-suffixes");
    for (String suffix : suffixes) {
      if (!suffix.matches("[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?")) {
        throw new ConfigException(
            "http.host-suffixes: '"
                + suffix
                + "' is no host name without port, like s3.example.org");
      }
    }
    return suffixes;
  }

  private HttpLimits httpLimits() {
    return new HttpLimits(
        atLeast(1, "http.connections-max"),
        atLeast(0, "http.connections-per-address-max"),
        atLeast(1024, "http.request-line-bytes-max"),
        atLeast(1024, "http.header-bytes-max"),
        atLeast(4096, "http.body-buffer-bytes"),
        atLeast(65_536L, "http.body-buffer-bytes-total-max"),
        atLeast(0L, "http.drain-bytes-max"),
        atLeast(1, "http.header-timeout-seconds"),
        atLeast(1, "http.idle-timeout-seconds"),
        atLeast(0, "http.body-bytes-per-second-min"),
        atLeast(1, "http.body-rate-window-seconds"));
  }

  /** A certificate turns HTTPS on. */
  private Optional<TlsConfig> tls() {
    String certificate = config.getString("http.tls.certificate-file");
    String key = config.getString("http.tls.key-file");
    int port = atLeast(HttpConfig.OFF, "http.tls-port");
    if (certificate.isEmpty() != key.isEmpty()) {
      throw new ConfigException(
          "http.tls.certificate-file and http.tls.key-file belong together; one is missing");
    }
    return certificate.isEmpty() || port == HttpConfig.OFF
        ? Optional.empty()
        : Optional.of(
            new TlsConfig(
                port,
                Path.of(certificate),
                Path.of(key),
                atLeast(1, "http.tls.handshake-timeout-seconds")));
  }

  private AuthConfig auth() {
    ConfigObject credentials = config.getObject("auth.credentials");
    Map<String, String> secrets = new HashMap<>();
    credentials.forEach((key, value) -> secrets.put(key, String.valueOf(value.unwrapped())));
    if (secrets.containsValue("")) {
      throw new ConfigException("auth.credentials: a secret is empty");
    }
    String file = config.getString("auth.keys-file");
    if (secrets.isEmpty() && file.isEmpty()) {
      throw new ConfigException(
          "no credentials: give --access-key and --secret-key, set S3RDMA_ACCESS_KEY and"
              + " S3RDMA_SECRET_KEY, or fill s3rdma.auth.credentials or s3rdma.auth.keys-file");
    }
    AuthConfig auth =
        new AuthConfig(
            config.getString("auth.region"),
            secrets,
            file.isEmpty() ? Optional.empty() : Optional.of(Path.of(file)),
            config.getBoolean("auth.allow-anonymous"),
            config.getBoolean("auth.form-signature-v2"));
    AccessKeys.check(auth);
    return auth;
  }

  private StoreConfig store() {
    return new StoreConfig(
        Path.of(config.getString("store.directory")),
        oneOf(StoreConfig.Durability.class, "store.durability"),
        atLeast(0L, "store.free-bytes-min"),
        atLeast(-1, "store.inline-bytes-max"),
        atLeast(0L, "store.bucket-bytes-max"),
        bucketLimits(),
        atLeast(0, "store.scrub-interval-hours"),
        atLeast(1L, "store.scrub-bytes-per-second"));
  }

  private Map<String, Long> bucketLimits() {
    Map<String, Long> limits = new HashMap<>();
    for (String bucket : config.getObject(ConfigLoader.BUCKET_LIMITS).keySet()) {
      String key = ConfigLoader.BUCKET_LIMITS + "." + ConfigUtil.quoteString(bucket);
      limits.put(bucket, atLeast(0L, key));
    }
    return limits;
  }

  private EncryptionConfig encryption() {
    String file = config.getString("encryption.key-file");
    return new EncryptionConfig(
        file.isEmpty() ? Optional.empty() : Optional.of(Path.of(file)),
        config.getBoolean("encryption.allow-missing-keys"),
        config.getBoolean("encryption.allow-customer-keys-over-http"));
  }

  private LifecycleConfig lifecycle() {
    return new LifecycleConfig(
        atLeast(0, "lifecycle.interval-seconds"),
        atLeast(1L, "lifecycle.day-seconds"),
        atLeast(1, "lifecycle.entries-per-second-max"));
  }

  private RdmaConfig rdma() {
    return new RdmaConfig(
        oneOf(RdmaConfig.Enabled.class, "rdma.enabled"),
        devices(),
        atLeast(0, "rdma.port"),
        config.getString("rdma.gid-address"),
        atLeast(4096, "rdma.chunk-bytes"),
        atLeast(1, "rdma.chunks-in-flight"),
        atLeast(0L, "rdma.staging-bytes"),
        atLeast(0L, "rdma.hot-bytes"),
        atLeast(0, "rdma.completion-spins"),
        atLeast(1, "rdma.deadline-millis-max"),
        atLeast(1, "rdma.deadline-millis-default"),
        atLeast(1, "rdma.connection-idle-seconds"),
        atLeast(1, "rdma.connections-max"),
        atLeast(1, "rdma.connections-per-key-max"),
        atLeast(1, "rdma.connects-per-second-max"),
        config.getStringList("rdma.client-subnets"),
        config.getBoolean("rdma.allow-unsigned-connect"),
        atLeast(0L, "rdma.object-bytes-min"),
        atLeast(0, "rdma.transport-timeout"),
        atLeast(0, "rdma.transport-retries"),
        oneOf(RdmaSettings.PeerProof.class, "rdma.require-peer-proof"),
        peerLimits());
  }

  private PeerLimits peerLimits() {
    return new PeerLimits(
        atLeast(1, "rdma.connects-per-second-per-key-max"),
        atLeast(1, "rdma.transfers-per-key-max"),
        atLeast(0, "rdma.transfers-waiting-per-key-max"),
        atLeast(0L, "rdma.bytes-in-flight-per-key-max"),
        atLeast(0, "rdma.peer-error-budget"),
        atLeast(1, "rdma.peer-error-window-seconds"),
        atLeast(1, "rdma.peer-cool-down-seconds"));
  }

  /** With commas between them: a text, so that a property or a variable can hold it. */
  private List<String> devices() {
    List<String> names =
        Arrays.stream(config.getString("rdma.device").split(",", -1))
            .map(String::strip)
            .filter(name -> !name.isEmpty())
            .toList();
    for (String name : names) {
      if (!name.matches("[^/]+(/[1-9][0-9]{0,2})?")) {
        throw new ConfigException(
            "rdma.device: '" + name + "' is no device like mlx5_0 and no port like mlx5_0/2");
      }
    }
    return names;
  }

  private int atLeast(int least, String key) {
    return (int) require(config.getInt(key), least, key);
  }

  private long atLeast(long least, String key) {
    return require(config.getLong(key), least, key);
  }

  private static long require(long value, long least, String key) {
    if (value < least) {
      throw new ConfigException(key + " is " + value + " and must be at least " + least);
    }
    return value;
  }

  private <E extends Enum<E>> E oneOf(Class<E> type, String key) {
    String text = config.getString(key);
    // HOCON reads a bare on or off as a boolean.
    String name = text.equals("true") ? "on" : text.equals("false") ? "off" : text;
    for (E constant : type.getEnumConstants()) {
      if (constant.name().equalsIgnoreCase(name)) {
        return constant;
      }
    }
    throw new ConfigException(
        key + " is '" + text + "' and must be one of " + List.of(type.getEnumConstants()));
  }
}
