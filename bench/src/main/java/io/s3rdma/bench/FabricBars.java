package io.s3rdma.bench;

/**
 * What the ratios to perftest must reach; 0: nothing. Over one connection there is nothing to fill
 * a request's gaps, so the bar is lower there; small objects have one with many connections only.
 */
final class FabricBars {
  private static final long LARGE_BYTES = 16L << 20;
  private static final long SMALL_BYTES = 1L << 20;
  private static final int MANY = 8;
  private static final int MANY_SMALL = 16;
  private static final double ONE_CONNECTION = 0.8;

  private FabricBars() {}

  /** Of {@code ib_write_bw}. */
  static double get(long size, int connections) {
    if (size >= SMALL_BYTES && size < LARGE_BYTES) {
      return connections >= MANY_SMALL ? 0.8 : 0;
    }
    return large(size, connections, 0.95);
  }

  /** Of {@code ib_read_bw}, durability none. */
  static double put(long size, int connections) {
    return large(size, connections, 0.95);
  }

  /** Of {@code ib_read_bw}, durability commit. */
  static double putCommit(long size, int connections) {
    return connections >= MANY ? large(size, connections, 0.85) : 0;
  }

  private static double large(long size, int connections, double bar) {
    if (size < LARGE_BYTES) {
      return 0;
    }
    return connections >= MANY ? bar : ONE_CONNECTION;
  }
}
