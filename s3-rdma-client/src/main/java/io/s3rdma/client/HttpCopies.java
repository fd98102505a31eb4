package io.s3rdma.client;

import io.s3rdma.rdma.TransferBuffer;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Moves HTTP bodies into and out of buffers through a scratch segment; the CPU touches no device
 * pointer (P-7.3).
 */
final class HttpCopies {
  private static final int SCRATCH_BYTES = 1 << 20;

  private HttpCopies() {}

  /** Reads the stream to its end into the buffer; returns the count. */
  static long fill(TransferBuffer buffer, InputStream in) throws IOException {
    byte[] chunk = new byte[SCRATCH_BYTES];
    long offset = 0;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment scratch = arena.allocate(SCRATCH_BYTES, 4096);
      int n;
      while ((n = in.readNBytes(chunk, 0, chunk.length)) > 0) {
        if (n > buffer.lengthBytes() - offset) {
          throw new TransferFailedException(
              "the object is larger than the buffer of "
                  + buffer.lengthBytes()
                  + " bytes; ask for a range that fits");
        }
        MemorySegment.copy(chunk, 0, scratch, java.lang.foreign.ValueLayout.JAVA_BYTE, 0, n);
        buffer.copyIn(offset, scratch.asSlice(0, n));
        offset += n;
      }
    }
    return offset;
  }

  /** The buffer's first bytes as a stream; each call to the provider starts anew. */
  static InputStream stream(TransferBuffer buffer, long lengthBytes) {
    return new BufferStream(buffer, lengthBytes);
  }

  private static final class BufferStream extends InputStream {
    private final TransferBuffer buffer;
    private final long lengthBytes;
    private final MemorySegment scratch;
    private long offset;
    private int at;
    private int filled;

    BufferStream(TransferBuffer buffer, long lengthBytes) {
      this.buffer = buffer;
      this.lengthBytes = lengthBytes;
      this.scratch =
          Arena.ofAuto().allocate(Math.min(SCRATCH_BYTES, Math.max(1, lengthBytes)), 4096);
    }

    @Override
    public int read() {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int from, int length) {
      Objects.checkFromIndexSize(from, length, target.length);
      if (length == 0) {
        return 0;
      }
      if (at == filled && !refill()) {
        return -1;
      }
      int n = Math.min(length, filled - at);
      MemorySegment.copy(scratch, java.lang.foreign.ValueLayout.JAVA_BYTE, at, target, from, n);
      at += n;
      return n;
    }

    private boolean refill() {
      int n = (int) Math.min(scratch.byteSize(), lengthBytes - offset);
      if (n <= 0) {
        return false;
      }
      buffer.copyOut(offset, scratch.asSlice(0, n));
      offset += n;
      at = 0;
      filled = n;
      return true;
    }
  }
}
