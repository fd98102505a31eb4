package io.s3rdma.server.http;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/**
 * The keys that secrets and dates give, four digests each, kept for the requests of a day. Asked
 * only for a key that is valid at the moment and a scope whose region and service are this
 * server's; a key that was replaced is another object and finds nothing of its predecessor.
 * Thread-safe.
 */
final class SigningKeys {
  private static final int KEPT_MAX = 4096;

  private final Cache<Day, byte[]> keys = Caffeine.newBuilder().maximumSize(KEPT_MAX).build();

  /** By identity of the access key. */
  private record Day(AccessKey key, String date) {}

  /** Not a copy; nobody changes it. */
  byte[] of(AccessKey key, CredentialScope scope) {
    return keys.get(
        new Day(key, scope.date()),
        day -> Crypto.signingKey(key.secret(), day.date(), scope.region(), scope.service()));
  }
}
