package io.s3rdma.counters;

import java.util.OptionalInt;

/**
 * What the server knows about one finished transfer.
 *
 * @param direction WRITE for GET, READ for PUT
 * @param bytesAsked bytes the request wanted moved
 * @param bytesCompleted bytes of successful completions
 * @param packetsExpected Σ {@link Judge#packetsFor} over the work requests; 0 only for 0 bytes,
 *     where no work request is posted
 * @param psnBefore send PSN before the first post, 24 bits; empty if it could not be read
 * @param psnAfter send PSN after the last completion, 24 bits; empty if it could not be read
 * @param overlapped whether another transfer used the port between the two counter snapshots
 */
public record LedgerFacts(
    Direction direction,
    long bytesAsked,
    long bytesCompleted,
    long packetsExpected,
    OptionalInt psnBefore,
    OptionalInt psnAfter,
    boolean overlapped) {
  /** PSNs count modulo this. */
  static final int PSN_SPACE = 1 << 24;

  /**
   * @throws IllegalArgumentException for negative counts, packets without bytes or bytes without
   *     packets, and PSNs of more than 24 bits
   */
  public LedgerFacts {
    if (bytesAsked < 0 || bytesCompleted < 0 || packetsExpected < 0) {
      throw new IllegalArgumentException("negative count");
    }
    if ((bytesAsked == 0) != (packetsExpected == 0)) {
      throw new IllegalArgumentException(
          packetsExpected + " packets expected for " + bytesAsked + " bytes");
    }
    checkPsn(psnBefore);
    checkPsn(psnAfter);
  }

  private static void checkPsn(OptionalInt psn) {
    if (psn.isPresent() && (psn.getAsInt() < 0 || psn.getAsInt() >= PSN_SPACE)) {
      throw new IllegalArgumentException("a PSN has 24 bits: " + psn.getAsInt());
    }
  }
}
