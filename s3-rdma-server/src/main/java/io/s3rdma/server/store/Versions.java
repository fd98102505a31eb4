package io.s3rdma.server.store;

import io.s3rdma.server.encryption.SealedKey;
import io.s3rdma.server.store.BucketMeta.Versioning;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The versions of a key, and what a put or a delete makes of them. All under the key's lock.
 *
 * <p>The current version is a row of {@link Family#OBJECTS} and never a delete marker; all others
 * are rows of {@link Family#VERSIONS}. So without a current row the newest of the others is a
 * delete marker, or there is none.
 */
final class Versions {
  private static final HexFormat HEX = HexFormat.of();
  private static final int CLOCK_SHIFT = 12;
  private static final int ID_DIGITS = 32;
  private static final int SEQUENCE_DIGITS = 16;

  private final MetaDb db;
  private final Clock clock;
  private final AtomicLong lastSequence = new AtomicLong();

  Versions(MetaDb db, Clock clock) {
    this.db = db;
    this.clock = clock;
  }

  Optional<ObjectMeta> current(String bucket, String key) throws IOException {
    RecentVersions.Name name = new RecentVersions.Name(bucket, key);
    Optional<ObjectMeta> recent = db.recent().find(name);
    if (recent.isPresent()) {
      return recent;
    }
    long changes = db.recent().changes(name);
    byte[] value = db.get(Family.OBJECTS, MetaKeys.object(bucket, key));
    if (value == null) {
      return Optional.empty();
    }
    ObjectMeta meta = MetaCodec.decode(bucket, key, value);
    db.recent().keep(name, meta, changes);
    return Optional.of(meta);
  }

  Optional<ObjectMeta> find(ObjectRef ref) throws IOException {
    Optional<ObjectMeta> current = current(ref.bucket(), ref.key());
    if (ref.isCurrent()) {
      return current.isPresent() ? current : newestOlder(ref.bucket(), ref.key());
    }
    if (current.filter(meta -> meta.versionId().equals(ref.versionId())).isPresent()) {
      return current;
    }
    return ref.versionId().equals(ObjectMeta.NULL_VERSION)
        ? nullAmongOlder(ref.bucket(), ref.key())
        : older(ref);
  }

  /** The newest that is not current. */
  private Optional<ObjectMeta> newestOlder(String bucket, String key) throws IOException {
    try (MetaDb.Cursor cursor = db.cursor(Family.VERSIONS, MetaKeys.ofKey(bucket, key)).first()) {
      return cursor.key() == null
          ? Optional.empty()
          : Optional.of(MetaCodec.decode(bucket, key, cursor.value()));
    }
  }

  private Optional<ObjectMeta> nullAmongOlder(String bucket, String key) throws IOException {
    try (MetaDb.Cursor cursor = db.cursor(Family.VERSIONS, MetaKeys.ofKey(bucket, key)).first()) {
      for (; cursor.key() != null; cursor.next()) {
        ObjectMeta meta = MetaCodec.decode(bucket, key, cursor.value());
        if (meta.versionId().equals(ObjectMeta.NULL_VERSION)) {
          return Optional.of(meta);
        }
      }
      return Optional.empty();
    }
  }

  private Optional<ObjectMeta> older(ObjectRef ref) throws IOException {
    Optional<Long> sequence = sequenceOf(ref.versionId());
    if (sequence.isEmpty()) {
      return Optional.empty();
    }
    byte[] value =
        db.get(Family.VERSIONS, MetaKeys.version(ref.bucket(), ref.key(), sequence.get()));
    return value == null
        ? Optional.empty()
        : Optional.of(MetaCodec.decode(ref.bucket(), ref.key(), value))
            .filter(meta -> meta.versionId().equals(ref.versionId()));
  }

  /**
   * The new version is current from the batch on.
   *
   * @param preconditions on what is current now
   */
  ObjectMeta put(
      MetaBatch batch,
      BucketMeta bucket,
      NewObject object,
      Content content,
      Preconditions preconditions)
      throws IOException {
    Optional<ObjectMeta> current = current(object.bucket(), object.key());
    preconditions.check(current);
    long sequence = nextSequence(bucket, object.bucket(), object.key(), current);
    ObjectMeta meta =
        new ObjectMeta(
            object.bucket(),
            object.key(),
            versionId(bucket, sequence),
            sequence,
            content.layout(),
            content.id(),
            content.size(),
            content.partCount(),
            content.etag(),
            now(),
            object.attributes(),
            content.checksums(),
            content.checksumType(),
            object.tags(),
            object.acl(),
            content.sealedKey());
    displace(batch, bucket, object.bucket(), object.key(), current);
    batch.putCurrent(meta);
    batch.use(meta.size(), 1);
    return meta;
  }

  /** What a delete without a version means. */
  Deletion delete(MetaBatch batch, BucketMeta bucket, String key) throws IOException {
    Optional<ObjectMeta> current = current(bucket.name(), key);
    if (bucket.versioning() == Versioning.OFF) {
      if (current.isPresent()) {
        batch.deleteCurrent(current.get());
        drop(batch, current.get());
      }
      return new Deletion(current.isPresent(), "", false);
    }
    long sequence = nextSequence(bucket, bucket.name(), key, current);
    displace(batch, bucket, bucket.name(), key, current);
    if (current.isPresent()) {
      batch.deleteCurrent(current.get());
    }
    ObjectMeta marker = marker(bucket.name(), key, versionId(bucket, sequence), sequence);
    batch.putOlder(marker);
    return new Deletion(true, marker.versionId(), true);
  }

  /** Takes one version away for good; the newest that is left becomes current. */
  Deletion deleteVersion(MetaBatch batch, ObjectMeta version) throws IOException {
    Optional<ObjectMeta> current = current(version.bucket(), version.key());
    boolean wasCurrent = current.filter(meta -> isSame(meta, version)).isPresent();
    if (wasCurrent) {
      batch.deleteCurrent(version);
    } else {
      batch.deleteOlder(version);
    }
    if (wasCurrent || current.isEmpty()) {
      promote(batch, version);
    }
    drop(batch, version);
    return new Deletion(true, version.versionId(), version.isDeleteMarker());
  }

  /** Makes the newest version besides {@code gone} current, unless it is a delete marker. */
  private void promote(MetaBatch batch, ObjectMeta gone) throws IOException {
    byte[] prefix = MetaKeys.ofKey(gone.bucket(), gone.key());
    try (MetaDb.Cursor cursor = db.cursor(Family.VERSIONS, prefix).first()) {
      for (; cursor.key() != null; cursor.next()) {
        ObjectMeta next = MetaCodec.decode(gone.bucket(), gone.key(), cursor.value());
        if (!isSame(next, gone)) {
          if (!next.isDeleteMarker()) {
            batch.deleteOlder(next);
            batch.putCurrent(next);
          }
          return;
        }
      }
    }
  }

  /** Makes room: what was current becomes older or goes, and so does a null version. */
  private void displace(
      MetaBatch batch, BucketMeta bucket, String name, String key, Optional<ObjectMeta> current)
      throws IOException {
    boolean keepsNull = bucket.versioning() == Versioning.ENABLED;
    if (current.isPresent()) {
      boolean isNull = current.get().versionId().equals(ObjectMeta.NULL_VERSION);
      if (isNull && !keepsNull) {
        drop(batch, current.get());
        return; // There is one null version at most.
      }
      batch.putOlder(current.get());
    }
    if (bucket.versioning() == Versioning.SUSPENDED) {
      Optional<ObjectMeta> old = nullAmongOlder(name, key);
      if (old.isPresent()) {
        batch.deleteOlder(old.get());
        drop(batch, old.get());
      }
    }
  }

  /** Bytes that go with the version that a put of this key displaces for good. */
  long bytesReplaced(BucketMeta bucket, String name, String key) throws IOException {
    return bucket.versioning() == Versioning.ENABLED
        ? 0
        : find(new ObjectRef(name, key, ObjectMeta.NULL_VERSION)).map(ObjectMeta::size).orElse(0L);
  }

  void drop(MetaBatch batch, ObjectMeta meta) throws IOException {
    batch.dropData(meta, parts(meta));
  }

  List<PartMeta> parts(ObjectMeta meta) throws IOException {
    if (meta.layout() != ObjectMeta.Layout.PARTS) {
      return List.of();
    }
    byte[] value = db.get(Family.MANIFESTS, MetaKeys.id(meta.id()));
    return value == null ? List.of() : MetaCodec.decodeManifest(meta.id(), value);
  }

  private static boolean isSame(ObjectMeta left, ObjectMeta right) {
    return left.sequence() == right.sequence() && left.versionId().equals(right.versionId());
  }

  private ObjectMeta marker(String bucket, String key, String versionId, long sequence) {
    return new ObjectMeta(
        bucket,
        key,
        versionId,
        sequence,
        ObjectMeta.Layout.DELETE_MARKER,
        "",
        0,
        0,
        "",
        now(),
        Map.of(),
        Map.of(),
        ChecksumType.FULL_OBJECT,
        Map.of(),
        "",
        SealedKey.NONE);
  }

  Instant now() {
    return Instant.ofEpochMilli(clock.millis());
  }

  /** Above all of the key, also where the clock went back. */
  private long nextSequence(
      BucketMeta bucket, String name, String key, Optional<ObjectMeta> current) throws IOException {
    long next = nextSequence();
    Optional<ObjectMeta> newest = current;
    if (newest.isEmpty() && bucket.versioning() != Versioning.OFF) {
      newest = newestOlder(name, key);
    }
    return newest.isPresent() ? Math.max(next, newest.get().sequence() + 1) : next;
  }

  /** Grows with each call and, over restarts, with the clock. */
  long nextSequence() {
    long byClock = clock.millis() << CLOCK_SHIFT;
    return lastSequence.updateAndGet(last -> Math.max(last + 1, byClock));
  }

  private static String versionId(BucketMeta bucket, long sequence) {
    return bucket.versioning() == Versioning.ENABLED ? newId(sequence) : ObjectMeta.NULL_VERSION;
  }

  /** Ids in the order of their sequence that nobody can guess. */
  static String newId(long sequence) {
    return HEX.toHexDigits(sequence) + HEX.toHexDigits(ThreadLocalRandom.current().nextLong());
  }

  /** Empty for what this store never gave out. */
  static Optional<Long> sequenceOf(String versionId) {
    if (versionId.length() != ID_DIGITS) {
      return Optional.empty();
    }
    try {
      byte[] octets = HEX.parseHex(versionId, 0, SEQUENCE_DIGITS);
      return Optional.of(ByteBuffer.wrap(octets).getLong());
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** What a new version is made of. */
  record Content(
      ObjectMeta.Layout layout,
      String id,
      long size,
      int partCount,
      String etag,
      Map<String, String> checksums,
      ChecksumType checksumType,
      SealedKey sealedKey) {}
}
