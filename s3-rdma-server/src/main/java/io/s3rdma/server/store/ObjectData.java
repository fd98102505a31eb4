package io.s3rdma.server.store;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** The bytes of one opened version. */
interface ObjectData extends AutoCloseable {
  /** At least one byte from inside the object, or -1 where a file is shorter than it must be. */
  int read(long position, ByteBuffer dst) throws IOException;

  Extent extent(long position, long lengthMax) throws IOException;

  /** The data item that the position is in. */
  Span span(long position);

  @Override
  void close() throws IOException;

  /**
   * Where a data item lies in its object.
   *
   * @param salt of the key that it is encrypted with, if it is
   */
  record Span(long start, long length, String salt) {}

  /** Opens files and lets them go. */
  interface Source {
    FileChannel open(String fileId) throws IOException;

    /** The reader is done. */
    void release();
  }

  /** From the metadata. */
  final class Inline implements ObjectData {
    private final byte[] bytes;

    /** The array is handed over. */
    Inline(byte[] bytes) {
      this.bytes = bytes;
    }

    /** Not a copy; nobody changes it. */
    byte[] bytes() {
      return bytes;
    }

    @Override
    public int read(long position, ByteBuffer dst) {
      int count = (int) Math.min(dst.remaining(), bytes.length - position);
      dst.put(bytes, (int) position, count);
      return count;
    }

    @Override
    public Extent extent(long position, long lengthMax) {
      int count = (int) Math.min(lengthMax, bytes.length - position);
      return new Extent.InMemory(
          ByteBuffer.wrap(bytes, (int) position, count).slice().asReadOnlyBuffer());
    }

    @Override
    public Span span(long position) {
      return new Span(0, bytes.length, SinkCipher.OBJECT_SALT);
    }

    @Override
    public void close() {}
  }

  /** One file, opened at once. */
  final class OneFile implements ObjectData {
    private final Source source;
    private final long size;
    private final OpenFiles.Held file;
    private final AtomicBoolean closed = new AtomicBoolean();

    OneFile(Source source, long size, OpenFiles.Held file) {
      this.source = source;
      this.size = size;
      this.file = file;
    }

    @Override
    public int read(long position, ByteBuffer dst) throws IOException {
      return file.channel().read(dst, position);
    }

    @Override
    public Extent extent(long position, long lengthMax) {
      return new Extent.InFile(file.channel(), position, Math.min(lengthMax, size - position));
    }

    @Override
    public Span span(long position) {
      return new Span(0, size, SinkCipher.OBJECT_SALT);
    }

    @Override
    public void close() throws IOException {
      if (closed.compareAndSet(false, true)) {
        file.close();
        source.release();
      }
    }
  }

  /**
   * A file a part. Only the one that was read last is open, since there can be 10,000; so reads
   * take turns.
   */
  final class Parts implements ObjectData {
    private final Source source;
    private final List<PartMeta> parts;
    private final long[] starts;
    private int openPart = -1;
    private FileChannel channel;
    private boolean closed;

    Parts(Source source, List<PartMeta> parts) {
      this.source = source;
      this.parts = parts.stream().filter(part -> part.size() > 0).toList();
      this.starts = new long[this.parts.size()];
      long at = 0;
      for (int i = 0; i < starts.length; i++) {
        starts[i] = at;
        at += this.parts.get(i).size();
      }
    }

    @Override
    public synchronized int read(long position, ByteBuffer dst) throws IOException {
      int index = partAt(position);
      long offset = position - starts[index];
      int limit = dst.limit();
      long left = parts.get(index).size() - offset;
      dst.limit((int) Math.min(limit, dst.position() + left));
      try {
        return channelOf(index).read(dst, offset);
      } finally {
        dst.limit(limit);
      }
    }

    @Override
    public synchronized Extent extent(long position, long lengthMax) throws IOException {
      int index = partAt(position);
      long offset = position - starts[index];
      long left = parts.get(index).size() - offset;
      return new Extent.InFile(channelOf(index), offset, Math.min(lengthMax, left));
    }

    @Override
    public Span span(long position) {
      int index = partAt(position);
      return new Span(starts[index], parts.get(index).size(), parts.get(index).salt());
    }

    private FileChannel channelOf(int index) throws IOException {
      if (closed) {
        throw new IOException("read of an object that is closed");
      }
      if (openPart != index) {
        if (channel != null) {
          channel.close();
        }
        openPart = -1;
        PartMeta part = parts.get(index);
        channel = source.open(part.fileId());
        if (channel.size() != part.size()) {
          throw new EOFException("data file " + part.fileId() + " has not its part's size");
        }
        openPart = index;
      }
      return channel;
    }

    private int partAt(long position) {
      int found = Arrays.binarySearch(starts, position);
      return found >= 0 ? found : -found - 2;
    }

    @Override
    public synchronized void close() throws IOException {
      if (closed) {
        return;
      }
      closed = true;
      try {
        if (channel != null) {
          channel.close();
        }
      } finally {
        source.release();
      }
    }
  }
}
