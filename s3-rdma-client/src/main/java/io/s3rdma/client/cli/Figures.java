package io.s3rdma.client.cli;

import java.util.Locale;

/** Numbers for people. */
final class Figures {
  private static final String[] UNITS = {"KiB", "MiB", "GiB", "TiB", "PiB"};

  private Figures() {}

  /** 1.5 MiB; below 1 KiB exact. */
  static String bytes(long count) {
    if (count < 1024) {
      return count + " B";
    }
    double value = count;
    int unit = -1;
    // Rounded to one decimal, 1023.95 would already read 1024.0.
    while (value >= 1023.95 && unit < UNITS.length - 1) {
      value /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, "%.1f %s", value, UNITS[unit]);
  }

  static String grouped(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** Millions of bytes per second; 0 where no time has passed. */
  static double megabytesPerSecond(long bytes, double seconds) {
    return seconds <= 0 ? 0 : bytes / seconds / 1e6;
  }

  static String rate(long bytes, double seconds) {
    return String.format(Locale.ROOT, "%.1f MB/s", megabytesPerSecond(bytes, seconds));
  }

  static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%.2f s", seconds);
  }

  /** Rounded for JSON, where more digits would be noise. */
  static double rounded(double value) {
    return Math.round(value * 1e4) / 1e4;
  }
}
