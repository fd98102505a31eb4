package io.s3rdma.rdma;

/**
 * How a queue pair sends.
 *
 * @param sendPsn its first send PSN, 24 bits
 * @param outgoingReads READs kept open; at least 1 and at most what the peer accepts
 * @param timeout transport timeout as the exponent n of 4.096 us x 2^n, 1 to 31; 0 would wait for
 *     ever
 * @param retries 0 to 6; Soft-RoCE reads 7 as "for ever"
 */
public record ReadyToSend(int sendPsn, int outgoingReads, int timeout, int retries) {
  /** No receive is ever consumed, so no peer can be "not ready". */
  static final int RNR_RETRIES = 7;

  public ReadyToSend {
    if (outgoingReads < 1 || timeout < 1 || timeout > 31 || retries < 0 || retries > 6) {
      throw RdmaException.misuse(
          "outgoingReads %d (at least 1), timeout %d (1..31), retries %d (0..6): out of bounds"
              .formatted(outgoingReads, timeout, retries));
    }
  }
}
