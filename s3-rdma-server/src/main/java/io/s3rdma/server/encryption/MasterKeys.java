package io.s3rdma.server.encryption;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The server's master keys: the first seals, all open. Immutable. */
public final class MasterKeys {
  private final Map<String, MasterKey> keys = new LinkedHashMap<>();
  private final MasterKey current;

  MasterKeys(List<MasterKey> keys) {
    this.current = keys.getFirst();
    keys.forEach(key -> this.keys.put(key.id(), key));
  }

  /** Of the key that seals. */
  public String currentId() {
    return current.id();
  }

  public Set<String> ids() {
    return Set.copyOf(keys.keySet());
  }

  public SealedKey seal(ObjectKey key) {
    return current.seal(key);
  }

  /** Empty if the master key is not here, or what it sealed is damaged. */
  public Optional<ObjectKey> open(SealedKey sealed) {
    return Optional.ofNullable(keys.get(sealed.masterKeyId())).flatMap(key -> key.open(sealed));
  }

  @Override
  public String toString() {
    return "MasterKeys" + keys.keySet();
  }
}
