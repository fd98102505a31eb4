package io.s3rdma.server.store;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Bytes of an object that lie together. */
public sealed interface Extent {
  long length();

  /** A part of a file. The channel stays the object's to close. */
  record InFile(FileChannel channel, long offset, long length) implements Extent {}

  /** Few bytes; read-only. */
  record InMemory(ByteBuffer bytes) implements Extent {
    @Override
    public long length() {
      return bytes.remaining();
    }
  }
}
