package io.s3rdma.server.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteOptions;

/**
 * RocksDB with two column families. Buckets: name to metadata. Objects: name, a zero octet and the
 * key, to metadata; a bucket's name holds no zero, so a bucket's keys lie together in their order.
 *
 * <p>Every call holds the shared side of a lock, a cursor for as long as it lives, and closing
 * waits for the exclusive side: RocksDB does not survive a call into a closed database. Close
 * order: families, database, options.
 */
final class MetaDb implements AutoCloseable {
  private static final byte[] SEPARATOR = {0};

  private final ColumnFamilyOptions familyOptions = new ColumnFamilyOptions();
  private final DBOptions options;
  private final WriteOptions writes;
  private final RocksDB db;
  private final List<ColumnFamilyHandle> families = new ArrayList<>();
  private final ReadWriteLock life = new ReentrantReadWriteLock();
  private boolean closed;

  MetaDb(Path directory, boolean syncWrites) throws IOException {
    RocksDB.loadLibrary();
    options =
        new DBOptions()
            .setCreateIfMissing(true)
            .setCreateMissingColumnFamilies(true)
            .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
            .setKeepLogFileNum(2)
            .setMaxTotalWalSize(64L << 20);
    writes = new WriteOptions().setSync(syncWrites);
    try {
      db =
          RocksDB.open(
              options,
              directory.toString(),
              List.of(
                  new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, familyOptions),
                  new ColumnFamilyDescriptor(Utf8.octets("buckets"), familyOptions),
                  new ColumnFamilyDescriptor(Utf8.octets("objects"), familyOptions)),
              families);
    } catch (RocksDBException e) {
      writes.close();
      options.close();
      familyOptions.close();
      throw failed("open " + directory, e);
    }
  }

  Optional<BucketMeta> bucket(String name) throws IOException {
    byte[] value = get(buckets(), Utf8.octets(name), "bucket " + name);
    return value == null ? Optional.empty() : Optional.of(MetaCodec.decode(name, value));
  }

  List<BucketMeta> buckets(int max) throws IOException {
    List<BucketMeta> found = new ArrayList<>();
    enter();
    try (RocksIterator iterator = db.newIterator(buckets())) {
      for (iterator.seekToFirst(); iterator.isValid() && found.size() < max; iterator.next()) {
        found.add(MetaCodec.decode(Utf8.text(iterator.key()), iterator.value()));
      }
      iterator.status();
    } catch (RocksDBException e) {
      throw failed("list buckets", e);
    } finally {
      life.readLock().unlock();
    }
    return found;
  }

  void put(BucketMeta meta) throws IOException {
    put(buckets(), Utf8.octets(meta.name()), MetaCodec.encode(meta), "bucket " + meta.name());
  }

  void deleteBucket(String name) throws IOException {
    delete(buckets(), Utf8.octets(name), "bucket " + name);
  }

  Optional<ObjectMeta> object(String bucket, String key) throws IOException {
    byte[] value = get(objects(), objectKey(bucket, Utf8.octets(key)), "object " + key);
    return value == null ? Optional.empty() : Optional.of(MetaCodec.decode(bucket, key, value));
  }

  void put(ObjectMeta meta) throws IOException {
    byte[] key = objectKey(meta.bucket(), Utf8.octets(meta.key()));
    put(objects(), key, MetaCodec.encode(meta), "object " + meta.key());
  }

  void deleteObject(String bucket, String key) throws IOException {
    delete(objects(), objectKey(bucket, Utf8.octets(key)), "object " + key);
  }

  /** Sees the database as it is now, whatever is written later. */
  Cursor cursor(String bucket) throws IOException {
    enter();
    return new Cursor(bucket, db.newIterator(objects()), life.readLock());
  }

  /** Every object of every bucket. */
  void forEachObject(ObjectVisitor visitor) throws IOException {
    enter();
    try (RocksIterator iterator = db.newIterator(objects())) {
      for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
        byte[] key = iterator.key();
        int zero = Utf8.indexOf(key, SEPARATOR, 0);
        String bucket = Utf8.text(Arrays.copyOf(key, zero));
        String name = Utf8.text(Arrays.copyOfRange(key, zero + 1, key.length));
        visitor.visit(MetaCodec.decode(bucket, name, iterator.value()));
      }
      iterator.status();
    } catch (RocksDBException e) {
      throw failed("scan objects", e);
    } finally {
      life.readLock().unlock();
    }
  }

  /** Idempotent; waits for running calls. */
  @Override
  public void close() {
    life.writeLock().lock();
    try {
      if (!closed) {
        closed = true;
        release();
      }
    } finally {
      life.writeLock().unlock();
    }
  }

  private void release() {
    families.forEach(ColumnFamilyHandle::close);
    db.close();
    writes.close();
    options.close();
    familyOptions.close();
  }

  private ColumnFamilyHandle buckets() {
    return families.get(1);
  }

  private ColumnFamilyHandle objects() {
    return families.get(2);
  }

  private byte[] get(ColumnFamilyHandle family, byte[] key, String what) throws IOException {
    enter();
    try {
      return db.get(family, key);
    } catch (RocksDBException e) {
      throw failed("get " + what, e);
    } finally {
      life.readLock().unlock();
    }
  }

  private void put(ColumnFamilyHandle family, byte[] key, byte[] value, String what)
      throws IOException {
    enter();
    try {
      db.put(family, writes, key, value);
    } catch (RocksDBException e) {
      throw failed("put " + what, e);
    } finally {
      life.readLock().unlock();
    }
  }

  private void delete(ColumnFamilyHandle family, byte[] key, String what) throws IOException {
    enter();
    try {
      db.delete(family, writes, key);
    } catch (RocksDBException e) {
      throw failed("delete " + what, e);
    } finally {
      life.readLock().unlock();
    }
  }

  /** Takes the shared side; the caller gives it back. */
  private void enter() throws IOException {
    life.readLock().lock();
    if (closed) {
      life.readLock().unlock();
      throw new IOException("metadata: the store is closed");
    }
  }

  private static byte[] objectKey(String bucket, byte[] key) {
    return Utf8.concat(Utf8.concat(Utf8.octets(bucket), SEPARATOR), key);
  }

  private static IOException failed(String call, RocksDBException cause) {
    String message = "metadata: " + call + ": " + cause.getMessage();
    return new IOException(message, cause);
  }

  /** Takes each object of a scan. */
  @FunctionalInterface
  interface ObjectVisitor {
    void visit(ObjectMeta meta) throws IOException;
  }

  /** Walks the keys of one bucket in order; closed once, by the thread that opened it. */
  static final class Cursor implements AutoCloseable {
    private final String bucket;
    private final byte[] start;
    private final RocksIterator iterator;
    private final Lock life;

    private Cursor(String bucket, RocksIterator iterator, Lock life) {
      this.life = life;
      this.bucket = bucket;
      this.start = objectKey(bucket, new byte[0]);
      this.iterator = iterator;
    }

    /** To the first key that is not below {@code key}. */
    void seek(byte[] key) {
      iterator.seek(Utf8.concat(start, key));
    }

    void next() {
      iterator.next();
    }

    /** The key here, or null behind the bucket's last. */
    byte[] key() throws IOException {
      if (!iterator.isValid()) {
        try {
          iterator.status();
        } catch (RocksDBException e) {
          throw failed("list " + bucket, e);
        }
        return null;
      }
      byte[] whole = iterator.key();
      return Utf8.startsWith(whole, start)
          ? Arrays.copyOfRange(whole, start.length, whole.length)
          : null;
    }

    ObjectMeta meta(byte[] key) throws IOException {
      return MetaCodec.decode(bucket, Utf8.text(key), iterator.value());
    }

    @Override
    public void close() {
      iterator.close();
      life.unlock();
    }
  }
}
