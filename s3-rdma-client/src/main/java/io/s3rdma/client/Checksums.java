package io.s3rdma.client;

import io.s3rdma.rdma.TransferBuffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.CRC32C;

/** CRC32C as S3 writes it: base64 of four bytes, most significant first. */
final class Checksums {
  private Checksums() {}

  static String crc32c(TransferBuffer buffer, long lengthBytes) {
    CRC32C crc = new CRC32C();
    byte[] chunk = new byte[1 << 16];
    try (InputStream in = HttpCopies.stream(buffer, lengthBytes)) {
      int n;
      while ((n = in.read(chunk)) > 0) {
        crc.update(chunk, 0, n);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail
    }
    return Base64.getEncoder()
        .encodeToString(ByteBuffer.allocate(4).putInt((int) crc.getValue()).array());
  }
}
