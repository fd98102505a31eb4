package io.s3rdma.client;

/**
 * How an object is cut into parts.
 *
 * @param partBytes of each but the last
 * @param atOnce parts in flight, each on a connection of its own
 * @param fromBytes what is larger goes in parts
 */
record PartPlan(long partBytes, int atOnce, long fromBytes) {
  private static final int PARTS_MAX = 10_000;
  private static final long STEP_BYTES = 1L << 20;

  /** The same with parts so large that there are not too many of them. */
  PartPlan fitting(long lengthBytes) {
    long least = (lengthBytes + PARTS_MAX - 1) / PARTS_MAX;
    if (least <= partBytes) {
      return this;
    }
    long rounded = (least + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
    return new PartPlan(rounded, atOnce, fromBytes);
  }

  int count(long lengthBytes) {
    return Math.toIntExact((lengthBytes + partBytes - 1) / partBytes);
  }

  long offset(int part) {
    return part * partBytes;
  }

  long length(int part, long lengthBytes) {
    return Math.min(partBytes, lengthBytes - offset(part));
  }
}
