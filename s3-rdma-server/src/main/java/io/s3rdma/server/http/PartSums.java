package io.s3rdma.server.http;

import java.nio.ByteBuffer;
import java.util.Base64;

/** The checksum of an object made of parts, from those of the parts. Not thread-safe. */
public final class PartSums {
  private final ChecksumAlgorithm algorithm;
  private final Hasher sumOfSums;
  private final CrcJoiner joiner;
  private long whole;
  private int count;

  public PartSums(ChecksumAlgorithm algorithm) {
    this.algorithm = algorithm;
    this.sumOfSums = algorithm.newHasher();
    this.joiner = algorithm.isCrc() ? algorithm.joiner() : null;
  }

  /** Parts in their order; {@code sum} is base64 and right in form. */
  public void add(String sum, long partBytes) {
    byte[] octets = Base64.getDecoder().decode(sum);
    sumOfSums.update(ByteBuffer.wrap(octets));
    if (joiner != null) {
      whole = joiner.join(whole, number(octets), partBytes);
    }
    count++;
  }

  /** The checksum of the parts' checksums, with the number of the parts; the last call. */
  public String composite() {
    return Base64.getEncoder().encodeToString(sumOfSums.finish()) + "-" + count;
  }

  /** The checksum of all bytes; for CRCs only. */
  public String fullObject() {
    byte[] octets = new byte[algorithm.bytes()];
    for (int i = octets.length - 1, shift = 0; i >= 0; i--, shift += Byte.SIZE) {
      octets[i] = (byte) (whole >>> shift);
    }
    return Base64.getEncoder().encodeToString(octets);
  }

  private static long number(byte[] octets) {
    long value = 0;
    for (byte octet : octets) {
      value = value << Byte.SIZE | (octet & 0xff);
    }
    return value;
  }
}
