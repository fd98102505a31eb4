package io.s3rdma.server.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** An opened version of an object. Reads are positional and may come from any thread. */
public final class StoredObject implements AutoCloseable {
  private final ObjectMeta meta;
  private final FileChannel channel;

  StoredObject(ObjectMeta meta, FileChannel channel) {
    this.meta = meta;
    this.channel = channel;
  }

  public ObjectMeta meta() {
    return meta;
  }

  /** Fills {@code dst} as far as the object goes; -1 at or behind its end. */
  public int read(long position, ByteBuffer dst) throws IOException {
    int total = 0;
    while (dst.hasRemaining()) {
      int count = channel.read(dst, position + total);
      if (count < 0) {
        return total == 0 ? -1 : total;
      }
      total += count;
    }
    return total;
  }

  /** For sendfile; closed with this object. */
  public FileChannel channel() {
    return channel;
  }

  /** Idempotent. */
  @Override
  public void close() throws IOException {
    channel.close();
  }
}
