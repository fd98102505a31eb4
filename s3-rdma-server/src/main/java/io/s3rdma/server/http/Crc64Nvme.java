package io.s3rdma.server.http;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.Checksum;

/** CRC-64/NVME, eight octets a step (slicing by 8). */
final class Crc64Nvme implements Checksum {
  static final long POLYNOMIAL = 0x9a6c9329ac4bc9b5L; // reflected
  private static final long[][] TABLES = tables();

  private long crc = -1L;

  @Override
  public void update(int octet) {
    crc = TABLES[0][(int) ((crc ^ octet) & 0xff)] ^ (crc >>> 8);
  }

  @Override
  public void update(byte[] octets, int offset, int length) {
    update(ByteBuffer.wrap(octets, offset, length));
  }

  @Override
  public void update(ByteBuffer bytes) {
    ByteOrder order = bytes.order();
    bytes.order(ByteOrder.LITTLE_ENDIAN);
    long value = crc;
    while (bytes.remaining() >= Long.BYTES) {
      long mixed = value ^ bytes.getLong();
      value = 0;
      for (int i = 0; i < 8; i++) {
        value ^= TABLES[7 - i][(int) (mixed >>> (8 * i)) & 0xff];
      }
    }
    crc = value;
    while (bytes.hasRemaining()) {
      update(bytes.get());
    }
    bytes.order(order);
  }

  @Override
  public long getValue() {
    return ~crc;
  }

  @Override
  public void reset() {
    crc = -1L;
  }

  private static long[][] tables() {
    long[][] tables = new long[8][256];
    for (int octet = 0; octet < 256; octet++) {
      long value = octet;
      for (int bit = 0; bit < 8; bit++) {
        value = (value & 1) != 0 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
      }
      tables[0][octet] = value;
    }
    for (int octet = 0; octet < 256; octet++) {
      for (int table = 1; table < 8; table++) {
        long before = tables[table - 1][octet];
        tables[table][octet] = tables[0][(int) (before & 0xff)] ^ (before >>> 8);
      }
    }
    return tables;
  }
}
