package io.s3rdma.counters;

import java.util.OptionalLong;

/**
 * What the port's counters say about one transfer (P-5.3). They are shared with everything else on
 * the port and include retransmissions, so they can prove "at least" or contradict, never
 * "exactly".
 *
 * @param finding the answer
 * @param packets packets the port saw between the two reads; empty if it counts no packets
 * @param reason one sentence for logs and reports
 */
public record PortEvidence(Finding finding, OptionalLong packets, String reason) {

  /** The port's answer. */
  public enum Finding {
    /** The port saw no less than the ledger. */
    HOLDS,
    /** The port saw less than the ledger: some bytes did not travel this way. */
    BELOW,
    /** The port cannot be asked. */
    UNKNOWN
  }

  static PortEvidence unknown(String reason) {
    return new PortEvidence(Finding.UNKNOWN, OptionalLong.empty(), reason);
  }
}
