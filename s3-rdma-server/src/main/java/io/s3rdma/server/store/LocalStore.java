package io.s3rdma.server.store;

import io.s3rdma.server.store.StoreException.Reason;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Objects on this machine's disk.
 *
 * <pre>
 *   lock      held while a server runs on the directory
 *   meta/     RocksDB
 *   objects/  data, see {@link DataFiles}
 *   tmp/
 * </pre>
 *
 * <p>A commit: sync the file, move it into place, sync the directory, write the metadata with a
 * synced log, and only then remove the file of the version before. Readers open a version by its id
 * and keep it after the removal.
 */
public final class LocalStore implements ObjectStore {
  private static final Logger LOG = LoggerFactory.getLogger(LocalStore.class);
  // Each round means that the key was overwritten between the look-up and the open.
  private static final int OPEN_ROUNDS = 16;

  private final StoreConfig config;
  private final FileChannel lockFile;
  private final DataFiles files;
  private final MetaDb db;
  private final StoreLocks locks = new StoreLocks();
  private final Clock clock;
  private final Recovery.Report recovered;

  public LocalStore(StoreConfig config) throws IOException {
    this(config, Clock.systemUTC());
  }

  LocalStore(StoreConfig config, Clock clock) throws IOException {
    this.config = config;
    this.clock = clock;
    boolean sync = config.durability() == StoreConfig.Durability.COMMIT;
    Files.createDirectories(config.directory());
    this.lockFile = lock(config.directory());
    MetaDb opened = null;
    try {
      this.files = new DataFiles(config.directory(), sync);
      opened = new MetaDb(config.directory().resolve("meta"), sync);
      this.db = opened;
      this.recovered = Recovery.run(files, db);
    } catch (IOException | RuntimeException e) {
      if (opened != null) {
        opened.close();
      }
      lockFile.close();
      throw e;
    }
    tell(recovered);
  }

  @Override
  public List<BucketMeta> listBuckets() throws IOException {
    return db.buckets(Integer.MAX_VALUE);
  }

  @Override
  public Optional<BucketMeta> bucket(String bucket) throws IOException {
    return db.bucket(bucket);
  }

  @Override
  public boolean createBucket(String bucket, String owner) throws IOException {
    Lock lock = locks.bucket(bucket).writeLock();
    lock.lock();
    try {
      if (db.bucket(bucket).isPresent()) {
        return false;
      }
      db.put(new BucketMeta(bucket, now(), owner));
      return true;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void deleteBucket(String bucket) throws IOException {
    Lock lock = locks.bucket(bucket).writeLock();
    lock.lock();
    try {
      requireBucket(bucket);
      if (!list(new ListQuery(bucket, "", "", "", 1)).objects().isEmpty()) {
        throw new StoreException(Reason.BUCKET_NOT_EMPTY, "bucket " + bucket + " holds objects");
      }
      db.deleteBucket(bucket);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Optional<ObjectMeta> head(String bucket, String key) throws IOException {
    Optional<ObjectMeta> found = db.object(bucket, key);
    if (found.isEmpty()) {
      requireBucket(bucket);
    }
    return found;
  }

  @Override
  public StoredObject open(String bucket, String key) throws IOException {
    for (int round = 0; ; round++) {
      ObjectMeta meta = head(bucket, key).orElseThrow(() -> noSuchKey(bucket, key));
      try {
        return opened(meta, files.open(meta.id()));
      } catch (NoSuchFileException e) {
        if (round == OPEN_ROUNDS) {
          throw new StoreException(
              Reason.DAMAGED, "object " + bucket + "/" + key + " has no data file " + meta.id(), e);
        }
      }
    }
  }

  private static StoredObject opened(ObjectMeta meta, FileChannel channel) throws IOException {
    if (channel.size() == meta.size()) {
      return new StoredObject(meta, channel);
    }
    long size = channel.size();
    channel.close();
    throw new StoreException(
        Reason.DAMAGED,
        "data file " + meta.id() + " has " + size + " bytes, its object " + meta.size());
  }

  @Override
  public ObjectWriter create(
      String bucket, String key, Map<String, String> attributes, long expectedLength, EtagKind etag)
      throws IOException {
    requireBucket(bucket);
    long needed = Math.max(expectedLength, 0);
    if (files.usableBytes() - needed < config.freeBytesMin()) {
      throw new StoreException(
          Reason.FULL,
          needed + " bytes more would leave less than store.free-bytes-min in the data directory");
    }
    return new LocalWriter(this, files, bucket, key, attributes, expectedLength, etag);
  }

  /** Called by a writer with its file in place. */
  void commit(ObjectMeta meta, Preconditions preconditions) throws IOException {
    Optional<ObjectMeta> before;
    Lock bucketLock = locks.bucket(meta.bucket()).readLock();
    Lock keyLock = locks.key(meta.bucket(), meta.key());
    bucketLock.lock();
    keyLock.lock();
    try {
      requireBucket(meta.bucket());
      before = db.object(meta.bucket(), meta.key());
      preconditions.check(before);
      db.put(meta);
    } finally {
      keyLock.unlock();
      bucketLock.unlock();
    }
    if (before.isPresent()) {
      removeData(before.get());
    }
  }

  @Override
  public boolean delete(String bucket, String key) throws IOException {
    Optional<ObjectMeta> before;
    Lock lock = locks.key(bucket, key);
    lock.lock();
    try {
      before = head(bucket, key);
      if (before.isPresent()) {
        db.deleteObject(bucket, key);
      }
    } finally {
      lock.unlock();
    }
    if (before.isPresent()) {
      removeData(before.get());
    }
    return before.isPresent();
  }

  @Override
  public Listing list(ListQuery query) throws IOException {
    requireBucket(query.bucket());
    try (MetaDb.Cursor cursor = db.cursor(query.bucket())) {
      return Lister.list(cursor, query);
    }
  }

  @Override
  public void close() throws IOException {
    db.close();
    lockFile.close();
  }

  Instant now() {
    return Instant.ofEpochMilli(clock.millis());
  }

  Recovery.Report recovered() {
    return recovered;
  }

  /** The metadata is already gone, so a failure here costs space and not truth. */
  private void removeData(ObjectMeta meta) {
    try {
      files.remove(meta.id());
    } catch (IOException e) {
      LOG.warn("remove data file {}: {}; the next start removes it", meta.id(), e.toString());
    }
  }

  private void requireBucket(String bucket) throws IOException {
    if (db.bucket(bucket).isEmpty()) {
      throw new StoreException(Reason.NO_SUCH_BUCKET, "bucket " + bucket + " does not exist");
    }
  }

  private static StoreException noSuchKey(String bucket, String key) {
    return new StoreException(Reason.NO_SUCH_KEY, "bucket " + bucket + " has no key " + key);
  }

  private static FileChannel lock(Path directory) throws IOException {
    FileChannel channel =
        FileChannel.open(
            directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock = null;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      LOG.debug("lock {}: held in this process", directory, e);
    }
    if (lock == null) {
      channel.close();
      throw new IOException("data directory " + directory + " is in use by another server");
    }
    return channel;
  }

  private static void tell(Recovery.Report report) {
    if (!report.isClean()) {
      LOG.warn(
          "store recovered: {} unfinished and {} orphaned data files removed, {} objects have lost"
              + " their data {}",
          report.temporariesRemoved(),
          report.orphansRemoved(),
          report.withoutFile().size(),
          report.withoutFile().stream().limit(5).toList());
    }
  }
}
