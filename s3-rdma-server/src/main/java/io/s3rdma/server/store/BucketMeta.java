package io.s3rdma.server.store;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A bucket.
 *
 * @param owner the account that created it
 * @param settings documents that the store keeps and does not read, by name: for example "cors"
 */
public record BucketMeta(
    String name,
    Instant created,
    String owner,
    Versioning versioning,
    Map<String, String> settings) {
  /** Whether an overwrite keeps the version before. */
  public enum Versioning {
    OFF,
    ENABLED,
    SUSPENDED
  }

  public BucketMeta {
    settings = Map.copyOf(settings);
  }

  public Optional<String> setting(String key) {
    return Optional.ofNullable(settings.get(key));
  }

  /** {@code value} null removes the setting. */
  public BucketMeta withSetting(String key, String value) {
    Map<String, String> other = new HashMap<>(settings);
    if (value == null) {
      other.remove(key);
    } else {
      other.put(key, value);
    }
    return new BucketMeta(name, created, owner, versioning, other);
  }

  public BucketMeta withVersioning(Versioning other) {
    return new BucketMeta(name, created, owner, other, settings);
  }
}
