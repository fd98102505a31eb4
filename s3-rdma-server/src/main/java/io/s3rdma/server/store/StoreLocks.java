package io.s3rdma.server.store;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Striped locks. Order: the bucket's before the key's. */
final class StoreLocks {
  private static final int BUCKETS = 64;
  private static final int KEYS = 1024;

  private final ReadWriteLock[] buckets = new ReadWriteLock[BUCKETS];
  private final Lock[] keys = new Lock[KEYS];

  StoreLocks() {
    for (int i = 0; i < BUCKETS; i++) {
      buckets[i] = new ReentrantReadWriteLock();
    }
    for (int i = 0; i < KEYS; i++) {
      keys[i] = new ReentrantLock();
    }
  }

  /** Its read side lets the bucket's keys change, its write side the bucket itself. */
  ReadWriteLock bucket(String bucket) {
    return buckets[Math.floorMod(bucket.hashCode(), BUCKETS)];
  }

  Lock key(String bucket, String key) {
    return keys[Math.floorMod(31 * bucket.hashCode() + key.hashCode(), KEYS)];
  }
}
