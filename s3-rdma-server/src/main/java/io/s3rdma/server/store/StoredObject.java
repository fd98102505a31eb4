package io.s3rdma.server.store;

import java.io.IOException;
import java.nio.ByteBuffer;

/** An opened version of an object. Reads are positional and may come from any thread. */
public final class StoredObject implements AutoCloseable {
  private final ObjectMeta meta;
  private final ObjectData data;

  StoredObject(ObjectMeta meta, ObjectData data) {
    this.meta = meta;
    this.data = data;
  }

  public ObjectMeta meta() {
    return meta;
  }

  /** Fills {@code dst} as far as the object goes; -1 at or behind its end. */
  public int read(long position, ByteBuffer dst) throws IOException {
    int total = 0;
    while (dst.hasRemaining() && position + total < meta.size()) {
      int count = data.read(position + total, dst);
      if (count < 0) {
        break;
      }
      total += count;
    }
    return total == 0 && (position >= meta.size() || dst.hasRemaining()) ? -1 : total;
  }

  /**
   * For sendfile: the bytes from {@code position} on, as many as lie together; valid until the next
   * call on this object.
   *
   * @param position below the object's size
   */
  public Extent extent(long position, long lengthMax) throws IOException {
    return data.extent(position, lengthMax);
  }

  ObjectData data() {
    return data;
  }

  /** Idempotent. */
  @Override
  public void close() throws IOException {
    data.close();
  }
}
