package io.s3rdma.gpu;

/** What makes bytes that a NIC wrote into a GPU's memory visible to that GPU's later work. */
enum WriteFence {
  /** The GPU sees remote writes in order by itself. */
  NONE_NEEDED,
  /** The driver has to be asked to flush. */
  FLUSH,
  /**
   * Neither, so a NIC must not write into this memory: the planner leaves only staging, whose
   * copies need no fence.
   */
  IMPOSSIBLE;

  private static final int ORDERED_FOR_OWNER = 100;
  private static final int FLUSH_FROM_HOST = 1;

  /**
   * Decides by the device's attributes GPU_DIRECT_RDMA_WRITES_ORDERING (0 none, 100 for the owner,
   * 200 for all devices) and FLUSH_WRITES_OPTIONS (bit 0: flush by the host). The reader is work on
   * the GPU that owns the memory; a reader on another GPU needs a fence of its own.
   */
  static WriteFence of(int writesOrdering, int flushOptions, boolean flushCall) {
    if (writesOrdering >= ORDERED_FOR_OWNER) {
      return NONE_NEEDED;
    }
    return flushCall && (flushOptions & FLUSH_FROM_HOST) != 0 ? FLUSH : IMPOSSIBLE;
  }
}
