package io.s3rdma.server.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The decoded body of a request; read by one thread, blocking, with bounded memory behind it. */
public interface RequestBody {
  /**
   * Puts at least one byte into {@code dst}, or returns -1 at the verified end: every signature and
   * digest over the body held.
   */
  int read(ByteBuffer dst) throws IOException;

  /** Trailing headers; complete only after {@link #read} returned -1. */
  default Headers trailers() {
    return Headers.EMPTY;
  }

  static RequestBody empty() {
    return of(new byte[0]);
  }

  static RequestBody of(byte[] content) {
    ByteBuffer source = ByteBuffer.wrap(content);
    return dst -> {
      if (!source.hasRemaining()) {
        return -1;
      }
      int count = Math.min(source.remaining(), dst.remaining());
      dst.put(source.slice(source.position(), count));
      source.position(source.position() + count);
      return count;
    };
  }

  /** The whole body; refuses more than {@code bytesMax}. For small XML documents. */
  default byte[] readAll(int bytesMax) throws IOException {
    return readAll(bytesMax, S3ErrorCode.MALFORMED_XML);
  }

  /** The same for a document that is no XML, with what a longer one is answered. */
  default byte[] readAll(int bytesMax, S3ErrorCode tooLong) throws IOException {
    // Room for one more than there may be, which tells that there are too many.
    ByteBuffer buffer = ByteBuffer.allocate(Math.min(bytesMax + 1, 8192));
    while (read(buffer) >= 0) {
      if (!buffer.hasRemaining()) {
        if (buffer.capacity() > bytesMax) {
          throw new S3Exception(tooLong, "more than " + bytesMax + " bytes");
        }
        int larger = Math.min(bytesMax + 1, buffer.capacity() * 2);
        buffer = ByteBuffer.wrap(Arrays.copyOf(buffer.array(), larger)).position(buffer.position());
      }
    }
    return Arrays.copyOf(buffer.array(), buffer.position());
  }
}
