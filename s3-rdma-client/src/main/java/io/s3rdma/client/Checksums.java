package io.s3rdma.client;

import io.s3rdma.rdma.SegmentBuffer;
import io.s3rdma.rdma.TransferBuffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.CRC32C;

/** CRC32C as S3 writes it: base64 of four bytes, most significant first. */
final class Checksums {
  private static final long SLICE_BYTES = 1 << 30;

  private Checksums() {}

  static String crc32c(TransferBuffer buffer, long lengthBytes) {
    CRC32C crc = new CRC32C();
    if (buffer instanceof SegmentBuffer host) {
      update(crc, host.segment().asSlice(0, lengthBytes));
    } else {
      update(crc, buffer, lengthBytes);
    }
    return Base64.getEncoder()
        .encodeToString(ByteBuffer.allocate(4).putInt((int) crc.getValue()).array());
  }

  /** Where the memory is; copying it first would cost three times as much. */
  private static void update(CRC32C crc, MemorySegment memory) {
    for (long at = 0; at < memory.byteSize(); at += SLICE_BYTES) {
      long length = Math.min(SLICE_BYTES, memory.byteSize() - at);
      crc.update(memory.asSlice(at, length).asByteBuffer());
    }
  }

  private static void update(CRC32C crc, TransferBuffer buffer, long lengthBytes) {
    byte[] chunk = new byte[1 << 16];
    try (InputStream in = HttpCopies.stream(buffer, lengthBytes)) {
      int n;
      while ((n = in.read(chunk)) > 0) {
        crc.update(chunk, 0, n);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail
    }
  }
}
