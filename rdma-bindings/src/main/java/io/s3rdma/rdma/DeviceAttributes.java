package io.s3rdma.rdma;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/** What a device says of itself. Counts are limits, not what is in use. */
public record DeviceAttributes(
    String name,
    String firmware,
    long maxRegionBytes,
    int vendorId,
    int vendorPartId,
    int maxQueuePairs,
    int maxWorkRequests,
    int maxCompletions,
    int maxRegions,
    int maxWindows,
    int maxIncomingReads,
    int maxOutgoingReads,
    boolean windowsType2,
    int ports) {
  private static final StructLayout L = Layouts.DEVICE_ATTR;
  private static final int SOFT_ROCE_VENDOR = 0xffffff;

  /**
   * Whether a memory window keeps a peer to its own bytes. Soft-RoCE checks a window's rights but
   * only the bounds of the region under it (measured on kernel 7.2), so there a window over a part
   * protects no more than the whole.
   */
  public boolean windowBoundsEnforced() {
    return vendorId != SOFT_ROCE_VENDOR;
  }

  /** "No limit" is 2^64-1 there. */
  private static long signed(long unsigned) {
    return unsigned < 0 ? Long.MAX_VALUE : unsigned;
  }

  static DeviceAttributes read(MemorySegment s) {
    return new DeviceAttributes(
        Layouts.getText(s, L, "name"),
        Layouts.getText(s, L, "firmware"),
        signed(Layouts.getLong(s, L, "max_mr_size")),
        Layouts.getInt(s, L, "vendor_id"),
        Layouts.getInt(s, L, "vendor_part_id"),
        Layouts.getInt(s, L, "max_qp"),
        Layouts.getInt(s, L, "max_qp_wr"),
        Layouts.getInt(s, L, "max_cqe"),
        Layouts.getInt(s, L, "max_mr"),
        Layouts.getInt(s, L, "max_mw"),
        Layouts.getInt(s, L, "max_qp_rd_atom"),
        Layouts.getInt(s, L, "max_qp_init_rd_atom"),
        Layouts.getInt(s, L, "mw_type2") != 0,
        Layouts.getInt(s, L, "ports"));
  }
}
