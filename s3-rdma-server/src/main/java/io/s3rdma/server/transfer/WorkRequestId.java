package io.s3rdma.server.transfer;

/**
 * The id of a work request: which staging slot it uses and for the how-manieth time. A completion
 * of an earlier use cannot be taken for the present one.
 *
 * <pre>
 *  63              32  31 30           0
 *  +-----------------+---+-------------+
 *  |   generation    | L | slot index  |
 *  +-----------------+---+-------------+
 *  L: more work requests of this use follow; this one completes only if it fails
 * </pre>
 */
final class WorkRequestId {
  private static final int LEADING = 1 << 31;

  private WorkRequestId() {}

  /** The id of the last, or only, work request of a use. */
  static long encode(int slot, int generation) {
    return Integer.toUnsignedLong(generation) << 32 | Integer.toUnsignedLong(slot);
  }

  /** The id of those before it. */
  static long leading(long last) {
    return last | Integer.toUnsignedLong(LEADING);
  }

  static boolean isLeading(long id) {
    return ((int) id & LEADING) != 0;
  }

  static int slot(long id) {
    return (int) id & ~LEADING;
  }

  static int generation(long id) {
    return (int) (id >>> 32);
  }
}
