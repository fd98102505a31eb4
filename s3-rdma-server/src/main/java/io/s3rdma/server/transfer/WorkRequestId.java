package io.s3rdma.server.transfer;

/**
 * The id of a work request: which staging slot it uses and for the how-manieth time. A completion
 * of an earlier use cannot be taken for the present one.
 *
 * <pre>
 *  63              32 31               0
 *  +-----------------+-----------------+
 *  |   generation    |   slot index    |
 *  +-----------------+-----------------+
 * </pre>
 */
final class WorkRequestId {
  private WorkRequestId() {}

  static long encode(int slot, int generation) {
    return Integer.toUnsignedLong(generation) << 32 | Integer.toUnsignedLong(slot);
  }

  static int slot(long id) {
    return (int) id;
  }

  static int generation(long id) {
    return (int) (id >>> 32);
  }
}
