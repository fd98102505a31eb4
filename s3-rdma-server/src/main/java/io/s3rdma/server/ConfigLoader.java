package io.s3rdma.server;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * Concludes the configuration: command line over system properties over environment over file over
 * {@code reference.conf}. A key that reference.conf has not is an error, wherever it stands.
 *
 * <p>The key {@code http.port} is the system property {@code s3rdma.http.port} and the variable
 * {@code S3RDMA_HTTP_PORT}.
 */
public final class ConfigLoader {
  private static final String ROOT = "s3rdma";
  private static final String CREDENTIALS = "auth.credentials";
  static final String BUCKET_LIMITS = "store.bucket-bytes-max-of";
  // Sections whose keys are names of the operator's own.
  private static final List<String> OPEN = List.of(CREDENTIALS + ".", BUCKET_LIMITS + ".");
  private static final String ENV_PREFIX = "S3RDMA_";
  private static final String ENV_ACCESS_KEY = "S3RDMA_ACCESS_KEY";
  private static final String ENV_SECRET_KEY = "S3RDMA_SECRET_KEY";
  private static final List<String> FOREIGN =
      List.of(
          "s3rdma.lane",
          "s3rdma.native.",
          "s3rdma.cuda.",
          "s3rdma.gpu.",
          "s3rdma.bench.",
          "s3rdma.fuzz.");
  private static final String HIDDEN = "********";

  private final Config reference;
  private final Properties properties;
  private final Map<String, String> environment;

  public ConfigLoader() {
    this(System.getProperties(), System.getenv());
  }

  ConfigLoader(Properties properties, Map<String, String> environment) {
    this.reference =
        ConfigFactory.parseResources(ConfigLoader.class.getClassLoader(), "reference.conf")
            .getConfig(ROOT);
    this.properties = properties;
    this.environment = Map.copyOf(environment);
  }

  /** {@code file} may be null; {@code commandLine} holds keys without the root. */
  public Config load(Path file, Map<String, Object> commandLine) {
    Config merged =
        layer("the command line", commandLine)
            .withFallback(fromProperties())
            .withFallback(fromEnvironment())
            .withFallback(fromFile(file))
            .withFallback(reference);
    return merged.resolve();
  }

  /** The records of a loaded configuration; every value is checked. */
  public static ServerConfig conclude(Config config) {
    try {
      return Conclusion.of(config);
    } catch (com.typesafe.config.ConfigException e) {
      throw new ConfigException("configuration: " + e.getMessage(), e);
    }
  }

  /** For people; without secrets. */
  public static String render(Config config) {
    Config shown = config;
    for (String accessKey : config.getObject(CREDENTIALS).keySet()) {
      shown = credentials(accessKey, HIDDEN).withFallback(shown);
    }
    ConfigRenderOptions options =
        ConfigRenderOptions.defaults().setOriginComments(false).setJson(false);
    return shown.root().render(options);
  }

  private Config fromProperties() {
    Map<String, Object> values = new HashMap<>();
    for (String name : properties.stringPropertyNames()) {
      if (name.startsWith(ROOT + ".") && !isForeign(name)) {
        values.put(name.substring(ROOT.length() + 1), properties.getProperty(name));
      }
    }
    return layer("the system properties", values);
  }

  /** Properties of other modules share the root but are no keys of the server. */
  private static boolean isForeign(String property) {
    return FOREIGN.stream().anyMatch(property::startsWith);
  }

  private Config fromEnvironment() {
    Map<String, String> keys = new HashMap<>();
    leaves(reference).forEach((key, value) -> keys.put(variableOf(key), key));
    Map<String, Object> values = new HashMap<>();
    for (Map.Entry<String, String> variable : environment.entrySet()) {
      String key = keys.get(variable.getKey());
      if (key != null) {
        values.put(key, variable.getValue());
      }
    }
    Config layer = layer("the environment", values);
    String accessKey = environment.get(ENV_ACCESS_KEY);
    String secretKey = environment.get(ENV_SECRET_KEY);
    if (accessKey == null || secretKey == null) {
      return layer;
    }
    return credentials(accessKey, secretKey).withFallback(layer);
  }

  private Config fromFile(Path file) {
    if (file == null) {
      return ConfigFactory.empty();
    }
    try {
      ConfigParseOptions options = ConfigParseOptions.defaults().setAllowMissing(false);
      Config parsed = ConfigFactory.parseFile(file.toFile(), options).resolve();
      for (String key : parsed.root().keySet()) {
        if (!key.equals(ROOT)) {
          throw new ConfigException(file + ": put '" + key + "' into a section " + ROOT + " { }");
        }
      }
      Config own = parsed.hasPath(ROOT) ? parsed.getConfig(ROOT) : ConfigFactory.empty();
      requireKnown(file.toString(), own);
      return own;
    } catch (com.typesafe.config.ConfigException e) {
      throw new ConfigException("configuration file " + file + ": " + e.getMessage(), e);
    }
  }

  private Config layer(String where, Map<String, Object> values) {
    Config layer = ConfigFactory.empty();
    for (Map.Entry<String, Object> entry : values.entrySet()) {
      layer = layer.withValue(entry.getKey(), valueOf(entry.getKey(), entry.getValue(), where));
    }
    requireKnown(where, layer);
    return layer;
  }

  /** A list comes as text with commas from where there is only text. */
  private ConfigValue valueOf(String key, Object value, String where) {
    boolean list =
        reference.hasPath(key)
            && reference.getValue(key).unwrapped() instanceof List
            && value instanceof String;
    return list
        ? ConfigValueFactory.fromIterable(
            List.of(((String) value).split(",", -1)).stream()
                .map(String::trim)
                .filter(item -> !item.isEmpty())
                .toList())
        : ConfigValueFactory.fromAnyRef(value, where);
  }

  private void requireKnown(String where, Config layer) {
    Map<String, ConfigValue> known = leaves(reference);
    for (String key : leaves(layer).keySet()) {
      if (!known.containsKey(key) && OPEN.stream().noneMatch(key::startsWith)) {
        throw new ConfigException(
            "unknown key '" + key + "' in " + where + "; --print-config lists the known keys");
      }
    }
  }

  private static Map<String, ConfigValue> leaves(Config config) {
    Map<String, ConfigValue> leaves = new TreeMap<>();
    config.entrySet().forEach(entry -> leaves.put(entry.getKey(), entry.getValue()));
    return leaves;
  }

  static Config credentials(String accessKey, String secretKey) {
    return ConfigFactory.empty()
        .withValue(CREDENTIALS, ConfigValueFactory.fromMap(Map.of(accessKey, secretKey)));
  }

  private static String variableOf(String key) {
    return ENV_PREFIX + key.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
  }
}
