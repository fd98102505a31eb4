package io.s3rdma.server.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.function.IntConsumer;
import java.util.zip.CRC32C;

/** The CRC-32C of a data file. */
final class FileCrc {
  private static final int BUFFER_BYTES = 1 << 20;

  private FileCrc() {}

  /** {@code onRead} is told the octets of each read; it may wait to bound the rate. */
  static int of(FileChannel channel, IntConsumer onRead) throws IOException {
    CRC32C crc = new CRC32C();
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    long at = 0;
    while (true) {
      int count = channel.read(buffer.clear(), at);
      if (count < 0) {
        return (int) crc.getValue();
      }
      at += count;
      crc.update(buffer.flip());
      onRead.accept(count);
    }
  }
}
