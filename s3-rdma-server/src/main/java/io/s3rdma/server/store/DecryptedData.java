package io.s3rdma.server.store;

import io.s3rdma.server.encryption.DataCipher;
import io.s3rdma.server.encryption.ObjectKey;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** What encrypted bytes mean. Reads take turns. Closing closes the stored bytes. */
final class DecryptedData implements ObjectData {
  private static final int MEMORY_BYTES = 256 * 1024;

  private final ObjectData stored;
  private final ObjectKey key;
  private Span span;
  private DataCipher cipher;
  private ByteBuffer memory;

  DecryptedData(ObjectData stored, ObjectKey key) {
    this.stored = stored;
    this.key = key;
  }

  @Override
  public synchronized int read(long position, ByteBuffer dst) throws IOException {
    turnTo(position);
    int from = dst.position();
    int limit = dst.limit();
    long left = span.start() + span.length() - position;
    dst.limit((int) Math.min(limit, from + left));
    try {
      int count = stored.read(position, dst);
      if (count > 0) {
        ByteBuffer bytes = dst.slice(from, count);
        cipher.apply(position - span.start(), bytes.duplicate(), bytes);
      }
      return count;
    } finally {
      dst.limit(limit);
    }
  }

  private void turnTo(long position) {
    boolean isWithin =
        span != null && position >= span.start() && position - span.start() < span.length();
    if (!isWithin) {
      span = stored.span(position);
      cipher = key.cipher(span.salt());
    }
  }

  /** In memory that the next call overwrites. */
  @Override
  public synchronized Extent extent(long position, long lengthMax) throws IOException {
    if (memory == null) {
      memory = ByteBuffer.allocate((int) Math.min(lengthMax, MEMORY_BYTES));
    }
    memory.clear().limit((int) Math.min(lengthMax, memory.capacity()));
    if (read(position, memory) < 1) {
      throw new EOFException("the data ends before byte " + position);
    }
    return new Extent.InMemory(memory.flip().asReadOnlyBuffer());
  }

  @Override
  public Span span(long position) {
    return stored.span(position);
  }

  @Override
  public void close() throws IOException {
    stored.close();
  }
}
