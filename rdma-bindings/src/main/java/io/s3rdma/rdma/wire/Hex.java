package io.s3rdma.rdma.wire;

import java.util.HexFormat;

/** Hexadecimal digits of ASCII only: no sign, no white space, no digits of other scripts. */
final class Hex {
  static final HexFormat LOWER = HexFormat.of();

  private Hex() {}

  /** Index of the first character in {@code [from, to)} that is no hex digit, or -1. */
  static int firstNonDigit(CharSequence text, int from, int to) {
    for (int i = from; i < to; i++) {
      if (!HexFormat.isHexDigit(text.charAt(i))) {
        return i;
      }
    }
    return -1;
  }

  /** Value of 1 to 16 digits that {@link #firstNonDigit} has passed. */
  static long value(CharSequence text, int from, int to) {
    return HexFormat.fromHexDigitsToLong(text, from, to);
  }

  /** Lower case, zero padded to {@code digits}. */
  static String padded(long value, int digits) {
    return LOWER.toHexDigits(value, digits);
  }
}
