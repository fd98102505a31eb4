package io.s3rdma.bench;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/** The same bytes for every server, so that what is read can be checked. Not thread-safe. */
final class Content {
  private static final int SEED = 7;

  private final Map<Long, byte[]> made = new HashMap<>();

  /** Shared by its readers, who do not change it. */
  byte[] of(long size) {
    return made.computeIfAbsent(size, Content::make);
  }

  private static byte[] make(long size) {
    byte[] content = new byte[Math.toIntExact(size)];
    new Random(SEED).nextBytes(content);
    return content;
  }

  static String name(long size) {
    return "object-" + size;
  }
}
