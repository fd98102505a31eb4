package io.s3rdma.server.store;

import io.s3rdma.server.encryption.CustomerKey;
import io.s3rdma.server.encryption.EncryptionConfig;
import io.s3rdma.server.encryption.Protection;
import io.s3rdma.server.store.BucketMeta.Versioning;
import io.s3rdma.server.store.StoreException.Reason;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Objects on this machine's disk; {@link StoreDirectory} says what is where.
 *
 * <p>A commit: sync the file, move it into place, sync the directory, write all metadata of the
 * change in one synced batch, and only then remove the files that nobody names any more. A small
 * object's bytes are in that batch. Readers pin a version and keep it after its removal.
 *
 * <p>Locks: the bucket's (shared for its keys) before the key's; the metadata's own last.
 */
public final class LocalStore implements ObjectStore {
  private static final Logger LOG = LoggerFactory.getLogger(LocalStore.class);
  // Each round means that the key was overwritten between the look-up and the open.
  private static final int OPEN_ROUNDS = 16;

  private final StoreConfig config;
  private final FileChannel lockFile;
  private final DataFiles files;
  private final MetaDb db;
  private final Sealing sealing;
  private final Buckets buckets;
  private final Versions versions;
  private final Uploads uploads;
  private final Space space;
  private final DataReader reader;
  private final StoreLocks locks = new StoreLocks();
  private final LocalMultipart multipart;
  private final Scrubber scrubber;
  private final Recovery.Report recovered;

  /** Its master keys, if it comes to need any, are in its directory. */
  public LocalStore(StoreConfig config) throws IOException {
    this(config, EncryptionConfig.DEFAULT);
  }

  public LocalStore(StoreConfig config, EncryptionConfig encryption) throws IOException {
    this(config, encryption, Clock.systemUTC());
  }

  LocalStore(StoreConfig config, EncryptionConfig encryption, Clock clock) throws IOException {
    this.config = config;
    boolean sync = config.durability() == StoreConfig.Durability.COMMIT;
    Files.createDirectories(config.directory());
    this.lockFile = StoreDirectory.lock(config.directory());
    MetaDb opened = null;
    try {
      StoreDirectory.requireFormat(config.directory());
      this.files = new DataFiles(config.directory(), sync);
      opened = new MetaDb(config.directory().resolve("meta"), sync);
      this.db = opened;
      this.sealing = new Sealing(db, config.directory(), encryption);
      this.buckets = new Buckets(db);
      this.versions = new Versions(db, clock);
      this.uploads = new Uploads(db);
      this.space = new Space(db, files, config);
      this.reader = new DataReader(db, files, versions, sealing);
      this.multipart =
          new LocalMultipart(files, db, buckets, versions, uploads, space, reader, locks, sealing);
      this.recovered = Recovery.run(files, db);
      forgetOldCompletions();
    } catch (IOException | RuntimeException e) {
      if (opened != null) {
        opened.close();
      }
      lockFile.close();
      throw e;
    }
    recovered.tell();
    this.scrubber =
        new Scrubber(
            db,
            files,
            clock,
            Duration.ofHours(config.scrubIntervalHours()),
            config.scrubBytesPerSecond());
    if (config.scrubIntervalHours() > 0) {
      scrubber.start();
    }
  }

  @Override
  public List<BucketMeta> listBuckets() {
    return buckets.all();
  }

  @Override
  public Optional<BucketMeta> bucket(String bucket) {
    return buckets.find(bucket);
  }

  @Override
  public boolean createBucket(String bucket, String owner) throws IOException {
    try (StoreLocks.Held _ = locks.wholeBucket(bucket)) {
      if (buckets.find(bucket).isPresent()) {
        return false;
      }
      buckets.put(new BucketMeta(bucket, versions.now(), owner, Versioning.OFF, Map.of()));
      return true;
    }
  }

  @Override
  public void deleteBucket(String bucket) throws IOException {
    try (StoreLocks.Held _ = locks.wholeBucket(bucket);
        MetaBatch batch = db.batch()) {
      buckets.require(bucket);
      VersionQuery any = new VersionQuery(bucket, "", "", "", "", 1);
      if (!listVersions(any).entries().isEmpty()) {
        throw new StoreException(
            Reason.BUCKET_NOT_EMPTY,
            "bucket " + bucket + " holds objects, older versions or delete markers");
      }
      for (UploadMeta upload : UploadLister.all(db, bucket)) {
        uploads.drop(batch, upload);
      }
      buckets.delete(batch, bucket);
      space.forget(bucket);
      reader.remove(batch.unneeded());
    }
  }

  @Override
  public BucketMeta updateBucket(String bucket, UnaryOperator<BucketMeta> change)
      throws IOException {
    try (StoreLocks.Held _ = locks.wholeBucket(bucket)) {
      BucketMeta changed = change.apply(buckets.require(bucket));
      buckets.put(changed);
      return changed;
    }
  }

  @Override
  public Optional<ObjectMeta> find(ObjectRef ref) throws IOException {
    Optional<ObjectMeta> found = versions.find(ref);
    if (found.isEmpty()) {
      buckets.require(ref.bucket());
    }
    return found;
  }

  @Override
  public StoredObject open(ObjectRef ref) throws IOException {
    for (int round = 0; round < OPEN_ROUNDS; round++) {
      Optional<StoredObject> opened = reader.open(require(ref));
      if (opened.isPresent()) {
        return opened.get();
      }
    }
    throw new StoreException(Reason.DAMAGED, ref + " has no data file");
  }

  private ObjectMeta require(ObjectRef ref) throws IOException {
    return find(ref)
        .orElseThrow(
            () ->
                new StoreException(
                    ref.isCurrent() ? Reason.NO_SUCH_KEY : Reason.NO_SUCH_VERSION,
                    ref + " does not exist"));
  }

  @Override
  public List<PartMeta> parts(ObjectMeta object) throws IOException {
    return object.partCount() == 0 ? List.of() : versions.parts(object);
  }

  @Override
  public ObjectWriter create(
      NewObject object, long expectedLength, EtagKind etag, Protection protection)
      throws IOException {
    checkSpace(object, Math.max(expectedLength, 0));
    SinkCipher cipher = sealing.cipherFor(protection);
    return new LocalObjectWriter(
        this, object, new DataSink(files, expectedLength, config.inlineBytesMax(), etag, cipher));
  }

  private void checkSpace(NewObject object, long bytes) throws IOException {
    BucketMeta bucket = buckets.require(object.bucket());
    space.check(
        object.bucket(),
        bytes,
        () -> versions.bytesReplaced(bucket, object.bucket(), object.key()));
  }

  /** Called by a writer that has all bytes. */
  ObjectMeta commit(
      NewObject object, DataSink sink, Preconditions preconditions, Map<String, String> checksums)
      throws IOException {
    StoredData data = sink.finish();
    Versions.Content content =
        new Versions.Content(
            data.layout(),
            data.id(),
            data.size(),
            0,
            sink.etag(),
            checksums,
            ChecksumType.FULL_OBJECT,
            sink.cipher().sealedKey());
    try (MetaBatch batch = db.batch()) {
      data.name(batch, object.bucket() + "/" + object.key());
      return put(batch, object, content, preconditions, sink::taken);
    }
  }

  /** Decides the conditions and makes the version current, under the key's lock. */
  private ObjectMeta put(
      MetaBatch batch,
      NewObject object,
      Versions.Content content,
      Preconditions preconditions,
      Runnable beforeWrite)
      throws IOException {
    ObjectMeta meta;
    try (StoreLocks.Held _ = locks.key(object.bucket(), object.key())) {
      BucketMeta bucket = buckets.require(object.bucket());
      meta = versions.put(batch, bucket, object, content, preconditions);
      space.write(object.bucket(), batch, beforeWrite);
    }
    reader.remove(batch.unneeded());
    return meta;
  }

  @Override
  public ObjectMeta copy(
      StoredObject source,
      NewObject object,
      Preconditions preconditions,
      Map<String, String> checksums,
      ChecksumType checksumType,
      Protection protection)
      throws IOException {
    checkSpace(object, source.meta().size());
    try (MetaBatch batch = db.batch();
        DataCopy copy = new DataCopy(db, files, versions)) {
      Versions.Content content =
          copy.make(batch, source, object, checksums, checksumType, protection);
      return put(batch, object, content, preconditions, copy::taken);
    }
  }

  @Override
  public ObjectMeta updateObject(ObjectRef ref, UnaryOperator<ObjectMeta> change)
      throws IOException {
    try (StoreLocks.Held _ = locks.key(ref.bucket(), ref.key());
        MetaBatch batch = db.batch()) {
      ObjectMeta before = require(ref);
      if (before.isDeleteMarker()) {
        throw new StoreException(before);
      }
      ObjectMeta after = change.apply(before);
      boolean isCurrent =
          versions
              .current(ref.bucket(), ref.key())
              .filter(meta -> meta.sequence() == before.sequence())
              .isPresent();
      db.write(isCurrent ? batch.putCurrent(after) : batch.putOlder(after));
      return after;
    }
  }

  @Override
  public Deletion delete(ObjectRef ref, Preconditions preconditions) throws IOException {
    try (MetaBatch batch = db.batch()) {
      Deletion deletion;
      try (StoreLocks.Held _ = locks.key(ref.bucket(), ref.key())) {
        BucketMeta bucket = buckets.require(ref.bucket());
        Optional<ObjectMeta> target = versions.find(ref);
        preconditions.checkStill(target);
        preconditions.check(target.filter(meta -> !meta.isDeleteMarker()));
        if (ref.isCurrent()) {
          deletion = versions.delete(batch, bucket, ref.key());
        } else if (target.isPresent()) {
          deletion = versions.deleteVersion(batch, target.get());
        } else {
          return new Deletion(false, ref.versionId(), false);
        }
        space.write(ref.bucket(), batch, () -> {});
      }
      reader.remove(batch.unneeded());
      return deletion;
    }
  }

  @Override
  public Listing list(ListQuery query) throws IOException {
    buckets.require(query.bucket());
    return Lister.list(db, query);
  }

  @Override
  public VersionListing listVersions(VersionQuery query) throws IOException {
    buckets.require(query.bucket());
    return VersionLister.list(db, versions, query);
  }

  @Override
  public UploadMeta createUpload(
      NewObject object, String owner, String algorithm, ChecksumType type, Protection protection)
      throws IOException {
    return multipart.create(object, owner, algorithm, type, protection);
  }

  @Override
  public UploadMeta upload(String bucket, String key, String uploadId) throws IOException {
    return multipart.require(bucket, key, uploadId);
  }

  @Override
  public PartWriter createPart(
      UploadMeta upload,
      int number,
      long expectedLength,
      EtagKind etag,
      Optional<CustomerKey> customerKey)
      throws IOException {
    return multipart.createPart(upload, number, expectedLength, etag, customerKey);
  }

  @Override
  public List<PartMeta> uploadedParts(
      String bucket, String key, String uploadId, int afterNumber, int entriesMax)
      throws IOException {
    multipart.require(bucket, key, uploadId);
    return uploads.parts(uploadId, afterNumber, entriesMax);
  }

  @Override
  public UploadListing listUploads(UploadQuery query) throws IOException {
    buckets.require(query.bucket());
    return UploadLister.list(db, query);
  }

  @Override
  public ObjectMeta complete(Completion completion) throws IOException {
    return multipart.complete(completion);
  }

  @Override
  public void abort(String bucket, String key, String uploadId) throws IOException {
    multipart.abort(bucket, key, uploadId);
  }

  @Override
  public Usage usage(String bucket) throws IOException {
    buckets.require(bucket);
    return space.usage(bucket);
  }

  /** How the reading again of all files goes. */
  public ScrubState scrubState() throws IOException {
    return scrubber.state();
  }

  /** Reads all files again now. */
  void scrub() throws IOException {
    scrubber.round();
  }

  @Override
  public void close() throws IOException {
    scrubber.close();
    db.close();
    files.close();
    lockFile.close();
  }

  private void forgetOldCompletions() throws IOException {
    try (MetaBatch batch = db.batch()) {
      uploads.forgetOld(batch, versions.now().minus(Uploads.REMEMBERED));
      db.write(batch);
    }
    LOG.debug("store {} is open", config.directory());
  }

  Recovery.Report recovered() {
    return recovered;
  }
}
