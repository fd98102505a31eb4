package io.s3rdma.server.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * The bytes of an object, wherever they lie: in one file, in many, or in memory. The answer that
 * holds a content owns it and closes it exactly once, when the last byte is out or given up.
 *
 * <p>Used by one thread at a time, that of the connection's event loop: {@link #region} may open a
 * file but must not wait for anything else.
 */
public interface ObjectContent extends AutoCloseable {
  /**
   * The bytes from {@code position} on, as far as they lie together: at least 1 and at most {@code
   * lengthMax}. Valid until the next call or {@link #close}; its channel stays this content's to
   * close.
   */
  Region region(long position, long lengthMax) throws IOException;

  @Override
  void close() throws IOException;

  /** Bytes that lie together. */
  sealed interface Region {
    long length();

    /** {@code length} bytes of a file from {@code offset} on; they go out by sendfile. */
    record OfFile(FileChannel channel, long offset, long length) implements Region {}

    /** The remaining bytes of a buffer, which nobody changes meanwhile. */
    record OfMemory(ByteBuffer bytes) implements Region {
      @Override
      public long length() {
        return bytes.remaining();
      }
    }
  }
}
