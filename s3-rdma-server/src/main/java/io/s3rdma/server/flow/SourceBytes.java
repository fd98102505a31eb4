package io.s3rdma.server.flow;

import io.s3rdma.server.http.ChecksumVerifier;
import io.s3rdma.server.store.DataWriter;
import io.s3rdma.server.store.StoredObject;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads an opened object from one end to the other. */
final class SourceBytes {
  private SourceBytes() {}

  /** Takes all bytes of the buffer; the position may move. */
  interface Sink {
    void take(ByteBuffer bytes) throws IOException;
  }

  static void read(StoredObject object, long first, long length, Sink sink) throws IOException {
    ByteBuffer buffer = ThreadBuffer.cleared();
    long done = 0;
    while (done < length) {
      buffer.clear().limit((int) Math.min(buffer.capacity(), length - done));
      readFully(object, first + done, buffer);
      buffer.flip();
      done += buffer.remaining();
      sink.take(buffer);
    }
  }

  /** Into what is being written, on the way over the checksum. */
  static void copy(
      StoredObject object, long first, long length, ChecksumVerifier checksum, DataWriter writer)
      throws IOException {
    read(
        object,
        first,
        length,
        bytes -> {
          checksum.update(bytes);
          writer.write(bytes);
        });
  }

  /** Fills the target; what is short is damaged (P-4.5). */
  static void readFully(StoredObject object, long position, ByteBuffer target) throws IOException {
    int wanted = target.remaining();
    int got = object.read(position, target);
    if (got != wanted) {
      throw new EOFException(
          "data file gave " + got + " of " + wanted + " bytes at " + position + "; it is damaged");
    }
  }
}
