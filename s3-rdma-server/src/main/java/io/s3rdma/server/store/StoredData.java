package io.s3rdma.server.store;

import java.io.IOException;

/** Bytes that are written, whole and durable, and that nothing names yet. */
final class StoredData {
  private final String id;
  private final long size;
  private final int crc32c;
  private final byte[] inline;

  /**
   * The array is handed over.
   *
   * @param inline the bytes themselves where they are few; null where they are in a file
   */
  StoredData(String id, long size, int crc32c, byte[] inline) {
    this.id = id;
    this.size = size;
    this.crc32c = crc32c;
    this.inline = inline;
  }

  String id() {
    return id;
  }

  long size() {
    return size;
  }

  ObjectMeta.Layout layout() {
    return inline == null ? ObjectMeta.Layout.FILE : ObjectMeta.Layout.INLINE;
  }

  /** Adds the row that names the data. */
  void name(MetaBatch batch, String owner) throws IOException {
    if (inline == null) {
      batch.putFile(new FileRecord(id, size, crc32c, owner));
    } else if (size > 0) {
      batch.put(Family.INLINE, MetaKeys.id(id), inline);
    }
  }
}
