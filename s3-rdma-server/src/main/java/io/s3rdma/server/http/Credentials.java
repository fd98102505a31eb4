package io.s3rdma.server.http;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The access keys that are valid at the moment; never shows a secret. Thread-safe: a request sees
 * all keys of before a {@link #replace} or all of after it.
 */
public final class Credentials {
  private final boolean oneAccount;
  private volatile Map<String, AccessKey> keysById;

  /** Keys with every right. They are one account, and every bucket is its. */
  public Credentials(Map<String, String> secretsByAccessKey) {
    this.oneAccount = true;
    this.keysById = byId(withEveryRight(secretsByAccessKey));
  }

  /** Keys of any accounts; a bucket belongs to the account of the key that created it. */
  public Credentials(Collection<AccessKey> keys) {
    this.oneAccount = false;
    this.keysById = byId(keys);
  }

  public static List<AccessKey> withEveryRight(Map<String, String> secretsByAccessKey) {
    return secretsByAccessKey.entrySet().stream()
        .map(e -> new AccessKey(e.getKey(), e.getValue(), Account.DEFAULT, List.of(Grant.ALL)))
        .toList();
  }

  /** Whoever signs from now on is judged by these keys; running requests end as they began. */
  public void replace(Collection<AccessKey> keys) {
    keysById = byId(keys);
  }

  /** Whether every bucket is every key's. */
  boolean isOneAccount() {
    return oneAccount;
  }

  Optional<AccessKey> find(String accessKey) {
    return Optional.ofNullable(keysById.get(accessKey));
  }

  /** The same; refuses with InvalidAccessKeyId. */
  AccessKey require(String accessKey) {
    return find(accessKey).orElseThrow(() -> new S3Exception(S3ErrorCode.INVALID_ACCESS_KEY_ID));
  }

  /**
   * The account that a bucket's record names. Older records name the access key in its place. An
   * account without a key any more keeps its buckets.
   */
  Account accountOf(String owner) {
    if (oneAccount) {
      return Account.DEFAULT;
    }
    Map<String, AccessKey> keys = keysById;
    for (AccessKey key : keys.values()) {
      if (key.account().id().equals(owner)) {
        return key.account();
      }
    }
    AccessKey creator = keys.get(owner);
    return creator == null ? new Account(owner, owner) : creator.account();
  }

  private static Map<String, AccessKey> byId(Collection<AccessKey> keys) {
    Map<String, AccessKey> byId = new HashMap<>();
    keys.forEach(key -> byId.put(key.id(), key));
    return Map.copyOf(byId);
  }

  @Override
  public String toString() {
    return "Credentials" + keysById.keySet();
  }
}
