package io.s3rdma.server.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * Changes that become true together. Collects also which files nobody names any more afterwards and
 * by how much the bucket's use changes. One thread; closed by its opener.
 */
final class MetaBatch implements AutoCloseable {
  static final char BYTES = 'b';
  static final char ITEMS = 'n';

  private final MetaDb db;
  private final WriteBatch batch = new WriteBatch();
  private final List<Unneeded> unneeded = new ArrayList<>();
  private final List<RecentVersions.Name> changed = new ArrayList<>(1);
  private long bytesAdded;
  private long itemsAdded;

  /** Files of one data id that can go. */
  record Unneeded(String id, List<String> fileIds) {
    Unneeded {
      fileIds = List.copyOf(fileIds);
    }
  }

  MetaBatch(MetaDb db) {
    this.db = db;
  }

  MetaBatch put(BucketMeta meta) throws IOException {
    return put(Family.BUCKETS, Utf8.octets(meta.name()), MetaCodec.encode(meta));
  }

  MetaBatch putCurrent(ObjectMeta meta) throws IOException {
    changed.add(new RecentVersions.Name(meta.bucket(), meta.key()));
    return put(Family.OBJECTS, MetaKeys.object(meta.bucket(), meta.key()), MetaCodec.encode(meta));
  }

  MetaBatch deleteCurrent(ObjectMeta meta) throws IOException {
    changed.add(new RecentVersions.Name(meta.bucket(), meta.key()));
    return delete(Family.OBJECTS, MetaKeys.object(meta.bucket(), meta.key()));
  }

  MetaBatch putOlder(ObjectMeta meta) throws IOException {
    return put(Family.VERSIONS, versionKey(meta), MetaCodec.encode(meta));
  }

  MetaBatch deleteOlder(ObjectMeta meta) throws IOException {
    return delete(Family.VERSIONS, versionKey(meta));
  }

  MetaBatch putFile(FileRecord file) throws IOException {
    return put(Family.FILES, MetaKeys.id(file.id()), MetaCodec.encode(file));
  }

  MetaBatch putManifest(String id, List<PartMeta> parts) throws IOException {
    return put(Family.MANIFESTS, MetaKeys.id(id), MetaCodec.encode(parts));
  }

  /** Takes the bytes of a version out of everything; {@code parts} are those of its manifest. */
  MetaBatch dropData(ObjectMeta meta, List<PartMeta> parts) throws IOException {
    switch (meta.layout()) {
      case INLINE -> delete(Family.INLINE, MetaKeys.id(meta.id()));
      case FILE -> dropFiles(meta.id(), List.of(meta.id()));
      case PARTS -> {
        delete(Family.MANIFESTS, MetaKeys.id(meta.id()));
        dropFiles(meta.id(), parts.stream().map(PartMeta::fileId).toList());
      }
      case DELETE_MARKER -> {
        return this;
      }
    }
    return use(-meta.size(), -1);
  }

  /** Takes a part's file out of everything. */
  MetaBatch dropPart(PartMeta part) throws IOException {
    dropFiles(part.fileId(), List.of(part.fileId()));
    return use(-part.size(), -1);
  }

  private void dropFiles(String id, List<String> fileIds) throws IOException {
    List<String> files = fileIds.stream().filter(file -> !file.isEmpty()).toList();
    for (String file : files) {
      delete(Family.FILES, MetaKeys.id(file));
    }
    if (!files.isEmpty()) {
      unneeded.add(new Unneeded(id, files));
    }
  }

  /** The bucket holds so much more. */
  MetaBatch use(long bytes, long items) {
    bytesAdded += bytes;
    itemsAdded += items;
    return this;
  }

  MetaBatch put(Family family, byte[] key, byte[] value) throws IOException {
    try {
      batch.put(db.column(family), family.row(key), value);
    } catch (RocksDBException e) {
      throw new IOException("metadata: batch: " + e.getMessage(), e);
    }
    return this;
  }

  MetaBatch delete(Family family, byte[] key) throws IOException {
    try {
      batch.delete(db.column(family), family.row(key));
    } catch (RocksDBException e) {
      throw new IOException("metadata: batch: " + e.getMessage(), e);
    }
    return this;
  }

  /** Adds what {@link #use} collected to the bucket's counters. */
  void account(String bucket) throws IOException {
    merge(MetaKeys.usage(bucket, BYTES), bytesAdded);
    merge(MetaKeys.usage(bucket, ITEMS), itemsAdded);
  }

  private void merge(byte[] key, long delta) throws IOException {
    if (delta == 0) {
      return;
    }
    // RocksDB's own operator adds modulo 2^64, so a negative number subtracts.
    byte[] operand =
        ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(delta).array();
    try {
      batch.merge(db.column(Family.USAGE), Family.USAGE.row(key), operand);
    } catch (RocksDBException e) {
      throw new IOException("metadata: batch: " + e.getMessage(), e);
    }
  }

  long bytesAdded() {
    return bytesAdded;
  }

  long itemsAdded() {
    return itemsAdded;
  }

  List<Unneeded> unneeded() {
    return List.copyOf(unneeded);
  }

  /** Whose current version is another one, or none, afterwards. */
  List<RecentVersions.Name> changed() {
    return List.copyOf(changed);
  }

  WriteBatch raw() {
    return batch;
  }

  private static byte[] versionKey(ObjectMeta meta) {
    return MetaKeys.version(meta.bucket(), meta.key(), meta.sequence());
  }

  @Override
  public void close() {
    batch.close();
  }
}
