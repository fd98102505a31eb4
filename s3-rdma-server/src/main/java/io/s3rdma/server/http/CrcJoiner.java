package io.s3rdma.server.http;

/**
 * The CRC of two texts, one behind the other, from the CRCs of both: the first goes on through as
 * many zero octets as the second has, which is a multiplication by a power of x modulo the
 * polynomial (Adler, zlib). Time grows with the logarithm of the length. For CRCs whose initial and
 * final masks are equal, as are all that S3 has. Polynomials are reflected: bit {@code width - 1}
 * is the coefficient of x^0.
 */
final class CrcJoiner {
  private final long one;
  private final long polynomial;
  private long lastOctets = -1;
  private long lastPower;

  CrcJoiner(int width, long polynomial) {
    this.one = 1L << (width - 1);
    this.polynomial = polynomial;
  }

  /** {@code octets} is the length of what the second CRC is over. */
  long join(long first, long second, long octets) {
    if (octets != lastOctets) {
      // Parts are of one size but for the last.
      lastPower = xToThe(octets);
      lastOctets = octets;
    }
    return multiply(lastPower, first) ^ second;
  }

  /** x to the power of {@code 8 * octets}. */
  private long xToThe(long octets) {
    long power = one;
    long square = one >>> 8; // x^8
    for (long left = octets; left != 0; left >>>= 1) {
      if ((left & 1) != 0) {
        power = multiply(square, power);
      }
      square = multiply(square, square);
    }
    return power;
  }

  private long multiply(long left, long right) {
    long product = 0;
    long shifted = right;
    for (long bit = one; bit != 0; bit >>>= 1) {
      if ((left & bit) != 0) {
        product ^= shifted;
      }
      shifted = (shifted & 1) != 0 ? (shifted >>> 1) ^ polynomial : shifted >>> 1;
    }
    return product;
  }
}
