package io.s3rdma.rdma.wire;

import java.util.HexFormat;

/**
 * Reads the colon-separated fields of one token from left to right. Every failure becomes an {@link
 * InvalidTokenException} at the position of the field. One reader per parse; not thread safe.
 */
final class TokenFields {
  private final String text;
  private int position;

  TokenFields(String text, int position) {
    this.text = text;
    this.position = position;
  }

  /** The next field of {@code min} to {@code max} hex digits, and the colon behind it. */
  long hex(String field, int min, int max) {
    int start = position;
    int end = text.indexOf(':', start);
    if (end < 0) {
      throw new InvalidTokenException(start, field, "no colon behind it");
    }
    position = end + 1;
    return value(field, start, end, min, max);
  }

  /** The last field: as {@link #hex}, ending where the text ends. */
  long lastHex(String field, int min, int max) {
    int start = position;
    position = text.length();
    return value(field, start, text.length(), min, max);
  }

  /** The next field of exactly {@code digits} hex digits, unread, and the colon behind it. */
  String digits(String field, int digits) {
    int start = position;
    int end = text.indexOf(':', start);
    if (end < 0) {
      throw new InvalidTokenException(start, field, "no colon behind it");
    }
    check(field, start, end, digits, digits);
    position = end + 1;
    return text.substring(start, end);
  }

  /** The last field of exactly {@code digits} hex digits, unread. */
  String lastDigits(String field, int digits) {
    int start = position;
    check(field, start, text.length(), digits, digits);
    position = text.length();
    return text.substring(start);
  }

  private long value(String field, int start, int end, int min, int max) {
    check(field, start, end, min, max);
    return Hex.value(text, start, end);
  }

  private void check(String field, int start, int end, int min, int max) {
    int length = end - start;
    if (length < min || length > max) {
      String wanted = min == max ? Integer.toString(min) : min + " to " + max;
      throw new InvalidTokenException(
          start, field, length + " characters instead of " + wanted + " hex digits");
    }
    int bad = Hex.firstNonDigit(text, start, end);
    if (bad >= 0) {
      throw new InvalidTokenException(bad, field, "not a hex digit");
    }
  }

  /** Index of the next field's first character. */
  int position() {
    return position;
  }

  /** A region whose size field starts at {@code sizeAt}; its bounds are part of the syntax. */
  static RemoteDescriptor region(int sizeAt, long address, long size, int rkey) {
    if (size == 0) {
      throw new InvalidTokenException(sizeAt, "size", "zero"); // P-4.4
    }
    if (RemoteDescriptor.wraps(address, size)) {
      throw new InvalidTokenException(sizeAt, "size", "address + size overflows 64 bits");
    }
    return new RemoteDescriptor(address, size, rkey);
  }

  /** Refuses upper case: the form of P-3.3 has one spelling. */
  static void requireLowerCase(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (HexFormat.isHexDigit(c) && c >= 'A' && c <= 'F') {
        throw new InvalidTokenException(i, "token", "upper-case hex digit");
      }
    }
  }
}
