package io.s3rdma.server.store;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Keys are ordered and cut as octets. */
final class Utf8 {
  private Utf8() {}

  static byte[] octets(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static String text(byte[] octets) {
    return new String(octets, StandardCharsets.UTF_8);
  }

  static boolean startsWith(byte[] octets, byte[] prefix) {
    return octets.length >= prefix.length
        && Arrays.equals(octets, 0, prefix.length, prefix, 0, prefix.length);
  }

  /** Where {@code part} begins at or behind {@code from}; -1 if nowhere. */
  static int indexOf(byte[] octets, byte[] part, int from) {
    for (int i = from; i <= octets.length - part.length; i++) {
      if (Arrays.equals(octets, i, i + part.length, part, 0, part.length)) {
        return i;
      }
    }
    return -1;
  }

  static byte[] concat(byte[] left, byte[] right) {
    byte[] both = Arrays.copyOf(left, left.length + right.length);
    System.arraycopy(right, 0, both, left.length, right.length);
    return both;
  }

  /**
   * The first key that is above every key with this prefix; UTF-8 has no octet 0xff to overflow.
   */
  static byte[] successor(byte[] prefix) {
    byte[] next = prefix.clone();
    next[next.length - 1]++;
    return next;
  }
}
