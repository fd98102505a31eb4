package io.s3rdma.bench;

import java.util.Locale;

/** Sizes as people write them: {@code 64M} is 64 MiB. */
final class ByteCount {
  private ByteCount() {}

  static long parse(String text) {
    String upper = text.trim().toUpperCase(Locale.ROOT);
    int shift = Math.max(0, "KMG".indexOf(upper.charAt(upper.length() - 1)) + 1) * 10;
    String digits = shift == 0 ? upper : upper.substring(0, upper.length() - 1);
    return Math.multiplyExact(Long.parseLong(digits), 1L << shift);
  }

  static String show(long bytes) {
    if (bytes % (1 << 20) == 0) {
      return (bytes >> 20) + " MiB";
    }
    return bytes % 1024 == 0 ? (bytes >> 10) + " KiB" : bytes + " B";
  }
}
