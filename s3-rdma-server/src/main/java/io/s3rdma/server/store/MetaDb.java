package io.s3rdma.server.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteOptions;

/**
 * RocksDB with the rows of each {@link Family}: octets in, octets out.
 *
 * <p>Every call holds the shared side of a lock, a cursor for as long as it lives, and closing
 * waits for the exclusive side: RocksDB does not survive a call into a closed database. Close
 * order: families, database, options, cache.
 */
final class MetaDb implements AutoCloseable {
  private static final long CACHE_BYTES = 64L << 20;
  // Also what a log takes of the disk at once.
  private static final long WRITE_BUFFER_BYTES = 16L << 20;
  private static final long WAL_BYTES_MAX = 64L << 20;
  private static final int OPEN_FILES_MAX = 512;
  private static final double BLOOM_BITS = 10;

  static {
    RocksDB.loadLibrary();
  }

  private final Cache cache;
  private final BloomFilter bloom = new BloomFilter(BLOOM_BITS);
  private final ColumnFamilyOptions familyOptions;
  private final DBOptions options;
  private final WriteOptions writes;
  private final RocksDB db;
  private final List<ColumnFamilyHandle> columns = new ArrayList<>();
  private final RecentVersions recent = new RecentVersions();
  private final ReadWriteLock life = new ReentrantReadWriteLock();
  private boolean closed;

  MetaDb(Path directory, boolean syncWrites) throws IOException {
    cache = new LRUCache(CACHE_BYTES);
    familyOptions =
        new ColumnFamilyOptions()
            .setMergeOperatorName("uint64add")
            .setWriteBufferSize(WRITE_BUFFER_BYTES)
            .setTableFormatConfig(
                new BlockBasedTableConfig().setBlockCache(cache).setFilterPolicy(bloom));
    options =
        new DBOptions()
            .setCreateIfMissing(true)
            .setCreateMissingColumnFamilies(true)
            .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
            .setKeepLogFileNum(2)
            .setMaxOpenFiles(OPEN_FILES_MAX)
            .setMaxTotalWalSize(WAL_BYTES_MAX);
    writes = new WriteOptions().setSync(syncWrites);
    List<ColumnFamilyDescriptor> descriptors =
        List.of(
            new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, familyOptions),
            new ColumnFamilyDescriptor(Utf8.octets("bulky"), familyOptions));
    try {
      db = RocksDB.open(options, directory.toString(), descriptors, columns);
    } catch (RocksDBException e) {
      closeOptions();
      throw failed("open " + directory, e);
    }
  }

  /** Null if there is no such row. */
  byte[] get(Family family, byte[] key) throws IOException {
    enter();
    try {
      return db.get(column(family), family.row(key));
    } catch (RocksDBException e) {
      throw failed("get from " + family, e);
    } finally {
      life.readLock().unlock();
    }
  }

  /** All of the batch or nothing; durable when this returns, if the store is. */
  void write(MetaBatch batch) throws IOException {
    enter();
    recent.begin(batch.changed());
    try {
      db.write(writes, batch.raw());
    } catch (RocksDBException e) {
      throw failed("write", e);
    } finally {
      recent.end(batch.changed());
      life.readLock().unlock();
    }
  }

  RecentVersions recent() {
    return recent;
  }

  MetaBatch batch() {
    return new MetaBatch(this);
  }

  /**
   * Walks the rows that begin with {@code prefix}. Sees the database as it is now, whatever is
   * written later.
   */
  Cursor cursor(Family family, byte[] prefix) throws IOException {
    enter();
    return new Cursor(family, family.row(prefix), db.newIterator(column(family)), life.readLock());
  }

  /** Idempotent; waits for running calls. */
  @Override
  public void close() {
    life.writeLock().lock();
    try {
      if (!closed) {
        closed = true;
        columns.forEach(ColumnFamilyHandle::close);
        db.close();
        closeOptions();
      }
    } finally {
      life.writeLock().unlock();
    }
  }

  ColumnFamilyHandle column(Family family) {
    return columns.get(family.isBulky() ? 1 : 0);
  }

  private void closeOptions() {
    writes.close();
    options.close();
    familyOptions.close();
    bloom.close();
    cache.close();
  }

  /** Takes the shared side; the caller gives it back. */
  private void enter() throws IOException {
    life.readLock().lock();
    if (closed) {
      life.readLock().unlock();
      throw new IOException("metadata: the store is closed");
    }
  }

  private static IOException failed(String call, RocksDBException cause) {
    String message = "metadata: " + call + ": " + cause.getMessage();
    return DiskFull.translate(new IOException(message, cause));
  }

  /** A place between rows; closed once, by the thread that opened it. */
  static final class Cursor implements AutoCloseable {
    private final Family family;
    private final byte[] prefix;
    private final RocksIterator iterator;
    private final Lock life;

    private Cursor(Family family, byte[] prefix, RocksIterator iterator, Lock life) {
      this.family = family;
      this.prefix = prefix;
      this.iterator = iterator;
      this.life = life;
    }

    /** To the first row that is not below {@code rest} behind the prefix. */
    Cursor seek(byte[] rest) {
      iterator.seek(Utf8.concat(prefix, rest));
      return this;
    }

    Cursor first() {
      return seek(new byte[0]);
    }

    void next() {
      iterator.next();
    }

    /** What stands behind the prefix here, or null behind the last row. */
    byte[] key() throws IOException {
      if (!iterator.isValid()) {
        try {
          iterator.status();
        } catch (RocksDBException e) {
          throw failed("scan " + family, e);
        }
        return null;
      }
      byte[] whole = iterator.key();
      return Utf8.startsWith(whole, prefix)
          ? Arrays.copyOfRange(whole, prefix.length, whole.length)
          : null;
    }

    byte[] value() {
      return iterator.value();
    }

    @Override
    public void close() {
      iterator.close();
      life.unlock();
    }
  }
}
