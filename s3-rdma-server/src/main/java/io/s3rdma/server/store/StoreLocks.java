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

  /** Locks that the same thread gives back. */
  interface Held extends AutoCloseable {
    @Override
    void close();
  }

  /** Nobody changes the bucket or a key of it meanwhile. */
  Held wholeBucket(String bucket) {
    Lock lock = ofBucket(bucket).writeLock();
    lock.lock();
    return lock::unlock;
  }

  /** Nobody changes the key or its bucket meanwhile. */
  Held key(String bucket, String key) {
    Lock outer = ofBucket(bucket).readLock();
    Lock inner = keys[Math.floorMod(31 * bucket.hashCode() + key.hashCode(), KEYS)];
    outer.lock();
    inner.lock();
    return () -> {
      inner.unlock();
      outer.unlock();
    };
  }

  private ReadWriteLock ofBucket(String bucket) {
    return buckets[Math.floorMod(bucket.hashCode(), BUCKETS)];
  }
}
