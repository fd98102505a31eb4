package io.s3rdma.counters;

import java.util.OptionalLong;

/**
 * The verdict on one transfer and the figures it rests on.
 *
 * @param verdict the word of P-5.4
 * @param packetsExpected from the chunk sizes and the MTU
 * @param packetsCounted by sequence numbers, modulo 2^24; empty if they could not be read
 * @param portPackets seen by the port meanwhile; shared, an upper figure; empty if not counted
 * @param reason one sentence for logs and reports
 */
public record Judgement(
    Verdict verdict,
    long packetsExpected,
    OptionalLong packetsCounted,
    OptionalLong portPackets,
    String reason) {

  /**
   * The number for the evidence header (P-5.5): what was counted; with {@link Verdict#AT_LEAST},
   * the expectation the port confirmed; else 0.
   */
  public long packetsStated() {
    return packetsCounted.orElse(verdict == Verdict.AT_LEAST ? packetsExpected : 0);
  }
}
