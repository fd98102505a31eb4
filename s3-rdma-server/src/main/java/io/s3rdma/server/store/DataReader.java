package io.s3rdma.server.store;

import io.s3rdma.server.encryption.ObjectKey;
import io.s3rdma.server.encryption.SealedKey;
import io.s3rdma.server.store.StoreException.Reason;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens versions for readers and removes what nobody names or reads any more. */
final class DataReader {
  private static final Logger LOG = LoggerFactory.getLogger(DataReader.class);

  private final MetaDb db;
  private final DataFiles files;
  private final Versions versions;
  private final Sealing sealing;
  private final Pins pins = new Pins();

  DataReader(MetaDb db, DataFiles files, Versions versions, Sealing sealing) {
    this.db = db;
    this.files = files;
    this.versions = versions;
    this.sealing = sealing;
  }

  /** Empty if the version went between its look-up and now. */
  Optional<StoredObject> open(ObjectMeta meta) throws IOException {
    if (meta.isDeleteMarker()) {
      throw new StoreException(meta);
    }
    // Before anything is opened that would have to be closed.
    ObjectKey key =
        meta.sealedKey().kind() == SealedKey.Kind.SERVER
            ? sealing.open(meta.sealedKey(), Optional.empty())
            : null;
    Optional<ObjectData> data =
        meta.layout() == ObjectMeta.Layout.INLINE ? inline(meta) : pinned(meta);
    return data.map(opened -> new StoredObject(meta, opened, sealing, key));
  }

  private Optional<ObjectData> inline(ObjectMeta meta) throws IOException {
    byte[] bytes = meta.size() == 0 ? new byte[0] : db.get(Family.INLINE, MetaKeys.id(meta.id()));
    return bytes == null ? Optional.empty() : Optional.of(new ObjectData.Inline(bytes));
  }

  private Optional<ObjectData> pinned(ObjectMeta meta) throws IOException {
    if (!pins.pin(meta.id())) {
      return Optional.empty();
    }
    boolean opened = false;
    try {
      ObjectData data = meta.layout() == ObjectMeta.Layout.FILE ? oneFile(meta) : parts(meta);
      opened = true;
      return Optional.of(data);
    } catch (NoSuchFileException e) {
      LOG.debug("open {}: {}", meta.ref(), e.toString());
      return Optional.empty();
    } finally {
      if (!opened) {
        release(meta.id());
      }
    }
  }

  private ObjectData oneFile(ObjectMeta meta) throws IOException {
    OpenFiles.Held file = files.hold(meta.id());
    boolean whole = false;
    try {
      long size = file.channel().size();
      whole = size == meta.size();
      if (!whole) {
        throw new StoreException(
            Reason.DAMAGED,
            "data file " + meta.id() + " has " + size + " bytes, its object " + meta.size());
      }
      return new ObjectData.OneFile(sourceOf(meta.id()), meta.size(), file);
    } finally {
      if (!whole) {
        file.close();
      }
    }
  }

  private ObjectData parts(ObjectMeta meta) throws IOException {
    List<PartMeta> parts = versions.parts(meta);
    if (parts.isEmpty()) {
      throw new NoSuchFileException("manifest " + meta.id());
    }
    return new ObjectData.Parts(sourceOf(meta.id()), parts);
  }

  private ObjectData.Source sourceOf(String id) {
    return new ObjectData.Source() {
      @Override
      public FileChannel open(String fileId) throws IOException {
        return files.open(fileId);
      }

      @Override
      public void release() {
        DataReader.this.release(id);
      }
    };
  }

  private void release(String id) {
    List<String> left = pins.unpin(id);
    if (!left.isEmpty()) {
      remove(id, left);
    }
  }

  /** The metadata are already gone. */
  void remove(List<MetaBatch.Unneeded> unneeded) {
    for (MetaBatch.Unneeded data : unneeded) {
      if (pins.mayRemove(data.id(), data.fileIds())) {
        remove(data.id(), data.fileIds());
      }
    }
  }

  /** A failure here costs space and not truth. */
  private void remove(String id, List<String> fileIds) {
    for (String fileId : fileIds) {
      try {
        files.remove(fileId);
      } catch (IOException e) {
        LOG.warn("remove data file {}: {}; the next start removes it", fileId, e.toString());
      }
    }
    pins.gone(id);
  }
}
