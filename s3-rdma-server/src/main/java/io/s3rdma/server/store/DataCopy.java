package io.s3rdma.server.store;

import io.s3rdma.server.encryption.Protection;
import io.s3rdma.server.encryption.SealedKey;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A second name for a version's bytes: links to its immutable files, so that no byte moves and each
 * object has files of its own to remove. Where the file system has no more links, the bytes are
 * copied. Closed before it was taken, the new names go.
 */
final class DataCopy implements AutoCloseable {
  private final MetaDb db;
  private final DataFiles files;
  private final Versions versions;
  private final List<String> made = new ArrayList<>();
  private boolean taken;

  DataCopy(MetaDb db, DataFiles files, Versions versions) {
    this.db = db;
    this.files = files;
    this.versions = versions;
  }

  /**
   * The source is open, so its files stay meanwhile. What is encrypted stays so with the same key,
   * which is sealed anew: with the master key of today.
   *
   * @param protection for which the source's bytes will do
   */
  Versions.Content make(
      MetaBatch batch,
      StoredObject source,
      NewObject object,
      Map<String, String> checksums,
      ChecksumType checksumType,
      Protection protection)
      throws IOException {
    SealedKey sealedKey = source.resealed(protection);
    ObjectMeta meta = source.meta();
    String owner = object.bucket() + "/" + object.key();
    String id = DataFiles.newId();
    switch (meta.layout()) {
      case INLINE -> {
        if (meta.size() > 0) {
          byte[] bytes = ((ObjectData.Inline) source.stored()).bytes();
          batch.put(Family.INLINE, MetaKeys.id(id), bytes);
        }
      }
      case FILE -> second(batch, meta.id(), id, owner);
      case PARTS -> batch.putManifest(id, parts(batch, meta, owner));
      case DELETE_MARKER -> throw new StoreException(meta);
    }
    files.syncNames(made);
    return new Versions.Content(
        meta.layout(),
        id,
        meta.size(),
        meta.partCount(),
        meta.etag(),
        checksums,
        checksumType,
        sealedKey);
  }

  private List<PartMeta> parts(MetaBatch batch, ObjectMeta meta, String owner) throws IOException {
    List<PartMeta> parts = new ArrayList<>();
    for (PartMeta part : versions.parts(meta)) {
      String id = DataFiles.newId();
      second(batch, part.fileId(), id, owner + " part " + part.number());
      parts.add(
          new PartMeta(
              part.number(),
              id,
              part.size(),
              part.etag(),
              part.lastModified(),
              part.checksums(),
              part.salt()));
    }
    return parts;
  }

  private void second(MetaBatch batch, String id, String newId, String owner) throws IOException {
    FileRecord file = record(id);
    if (!files.link(id, newId)) {
      copyBytes(id, newId);
    }
    made.add(newId);
    batch.putFile(new FileRecord(newId, file.size(), file.crc32c(), owner));
  }

  private FileRecord record(String id) throws IOException {
    byte[] record = db.get(Family.FILES, MetaKeys.id(id));
    if (record != null) {
      return MetaCodec.decodeFile(id, record);
    }
    // The metadata went while the source was open here; its bytes did not.
    try (FileChannel channel = files.open(id)) {
      return new FileRecord(id, channel.size(), FileCrc.of(channel, octets -> {}), "");
    }
  }

  private void copyBytes(String id, String newId) throws IOException {
    try (FileChannel from = files.open(id);
        FileChannel to = files.createTemporary(newId)) {
      long at = 0;
      while (at < from.size()) {
        at += from.transferTo(at, from.size() - at, to);
      }
      files.publish(newId, to);
    } catch (IOException e) {
      files.removeTemporary(newId);
      throw DiskFull.translate(e);
    }
  }

  void taken() {
    taken = true;
  }

  @Override
  public void close() throws IOException {
    if (!taken) {
      for (String id : made) {
        files.remove(id);
      }
    }
  }
}
