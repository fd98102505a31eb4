package io.s3rdma.server.store;

import io.s3rdma.server.store.StoreException.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What each bucket holds, against what it may hold. The numbers are kept with the metadata in the
 * same write, and here in memory; a bucket's write that adds bytes reserves them first, so that
 * writers at once cannot pass the limit together.
 */
final class Space {
  // A delete must still find room for its metadata: without it nobody could make room.
  private static final long RESERVE_BYTES = 32L << 20;

  private final MetaDb db;
  private final DataFiles files;
  private final StoreConfig config;
  private final Map<String, Account> accounts = new ConcurrentHashMap<>();

  Space(MetaDb db, DataFiles files, StoreConfig config) {
    this.db = db;
    this.files = files;
    this.config = config;
  }

  /** What a write makes room for, looked up only if it matters. */
  interface Replaced {
    long bytes() throws IOException;
  }

  /** Spares a body that has no room. */
  void check(String bucket, long bytes, Replaced replaced) throws IOException {
    long limit = limitOf(bucket);
    long used = usage(bucket).bytes();
    if (used + bytes > limit) {
      long more = bytes - replaced.bytes();
      if (used + more > limit) {
        throw exceeded(bucket, used, more, limit);
      }
    }
    requireRoom(bytes, Math.max(config.freeBytesMin(), RESERVE_BYTES));
  }

  private void requireRoom(long bytes, long reserve) throws IOException {
    if (files.usableBytes() - bytes < reserve) {
      throw new StoreException(
          Reason.FULL,
          bytes + " bytes more would leave less than " + reserve + " in the data directory");
    }
  }

  /**
   * Writes the batch of a bucket with its accounts.
   *
   * @param beforeWrite called when nothing but the write itself can fail any more
   */
  void write(String bucket, MetaBatch batch, Runnable beforeWrite) throws IOException {
    if (batch.bytesAdded() > 0) {
      requireRoom(0, RESERVE_BYTES / 2);
    }
    Account account = account(bucket);
    account.add(batch, limitOf(bucket), bucket);
    try {
      batch.account(bucket);
      beforeWrite.run();
      db.write(batch);
    } catch (IOException | RuntimeException e) {
      account.undo(batch);
      throw e;
    }
  }

  ObjectStore.Usage usage(String bucket) throws IOException {
    return account(bucket).usage();
  }

  /** The bucket is gone. */
  void forget(String bucket) {
    accounts.remove(bucket);
  }

  private long limitOf(String bucket) {
    long limit = config.bucketBytesMax().getOrDefault(bucket, config.bucketBytesMaxDefault());
    return limit == 0 ? Long.MAX_VALUE : limit;
  }

  private Account account(String bucket) throws IOException {
    Account known = accounts.get(bucket);
    if (known != null) {
      return known;
    }
    long bytes = stored(bucket, MetaBatch.BYTES);
    long items = stored(bucket, MetaBatch.ITEMS);
    Account loaded = new Account(bytes, items);
    Account other = accounts.putIfAbsent(bucket, loaded);
    return other == null ? loaded : other;
  }

  private long stored(String bucket, char counter) throws IOException {
    byte[] octets = db.get(Family.USAGE, MetaKeys.usage(bucket, counter));
    return octets == null ? 0 : ByteBuffer.wrap(octets).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  private static StoreException exceeded(String bucket, long used, long more, long limit) {
    return new StoreException(
        Reason.QUOTA_EXCEEDED,
        "bucket "
            + bucket
            + " holds "
            + used
            + " bytes; "
            + more
            + " more would exceed its limit of "
            + limit
            + "; delete something or raise store.bucket-bytes-max");
  }

  private static final class Account {
    private long bytes;
    private long items;

    Account(long bytes, long items) {
      this.bytes = bytes;
      this.items = items;
    }

    synchronized void add(MetaBatch batch, long limit, String bucket) throws StoreException {
      if (batch.bytesAdded() > 0 && bytes + batch.bytesAdded() > limit) {
        throw exceeded(bucket, bytes, batch.bytesAdded(), limit);
      }
      bytes += batch.bytesAdded();
      items += batch.itemsAdded();
    }

    synchronized void undo(MetaBatch batch) {
      bytes -= batch.bytesAdded();
      items -= batch.itemsAdded();
    }

    synchronized ObjectStore.Usage usage() {
      return new ObjectStore.Usage(bytes, items);
    }
  }
}
