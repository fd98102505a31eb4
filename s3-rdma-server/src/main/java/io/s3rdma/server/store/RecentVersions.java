package io.s3rdma.server.store;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Current versions that were read lately, decoded, so that a hot object costs no look-up. Never out
 * of date: what was read while no change ran counts as long as none has begun since. Keys share
 * counters by their hash; whose counter moved for another only reads again. Thread-safe.
 */
final class RecentVersions {
  /** Counts for nothing: a change runs. */
  static final long UNQUIET = -1;

  private static final int KEPT_MAX = 4096;
  private static final int COUNTERS = 1024; // a power of 2

  private final AtomicLongArray begun = new AtomicLongArray(COUNTERS);
  private final AtomicLongArray ended = new AtomicLongArray(COUNTERS);
  private final Cache<Name, Kept> kept = Caffeine.newBuilder().maximumSize(KEPT_MAX).build();

  /** Whose current version it is. */
  record Name(String bucket, String key) {
    private int counter() {
      int hash = hashCode();
      return (hash ^ hash >>> 16) & COUNTERS - 1;
    }
  }

  private record Kept(ObjectMeta meta, long changes) {}

  /** Empty if the database has to be asked. */
  Optional<ObjectMeta> find(Name name) {
    Kept found = kept.getIfPresent(name);
    return found == null || found.changes != begun.get(name.counter())
        ? Optional.empty()
        : Optional.of(found.meta);
  }

  /** Changes until now, or {@link #UNQUIET}; to be asked before the database is. */
  long changes(Name name) {
    long before = ended.get(name.counter());
    return begun.get(name.counter()) == before ? before : UNQUIET;
  }

  /**
   * Remembers what the database said.
   *
   * @param changesBefore what {@link #changes} said before it was asked
   */
  void keep(Name name, ObjectMeta meta, long changesBefore) {
    if (changesBefore != UNQUIET) {
      kept.put(name, new Kept(meta, changesBefore));
    }
  }

  /** Before these are written. */
  void begin(List<Name> names) {
    names.forEach(name -> begun.incrementAndGet(name.counter()));
  }

  /** After these were written, or could not be. */
  void end(List<Name> names) {
    names.forEach(name -> ended.incrementAndGet(name.counter()));
  }
}
