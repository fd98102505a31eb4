package io.s3rdma.rdma.wire;

/**
 * Decimal counts in headers: ASCII digits only, 0 to 2^63-1. No sign, no white space, no other
 * script, so that one value has one reading on both sides.
 */
public final class WireDecimal {
  private static final int DIGITS_MAX = 19;

  private WireDecimal() {}

  /**
   * @param field names the value in the error
   * @throws WireFormatException if {@code text} is not 1 to 19 digits within range
   */
  public static long parse(String field, String text) {
    int length = text.length();
    if (length == 0 || length > DIGITS_MAX) {
      throw new WireFormatException(field, length + " characters instead of 1 to 19 digits");
    }
    long value = 0;
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        throw new WireFormatException(field, "not a digit at character " + i);
      }
      value = value * 10 + (c - '0');
      if (value < 0) {
        throw new WireFormatException(field, "more than 2^63-1");
      }
    }
    return value;
  }
}
