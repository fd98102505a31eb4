package io.s3rdma.server.transfer;

/**
 * What of the configured memory one of several rails has; immutable.
 *
 * @param slots staging slots
 * @param hotChunks chunks of hot memory; 0: it has none
 */
record RailShare(int slots, int hotChunks) {
  static RailShare of(TransferConfig config, int rails) {
    return new RailShare(Math.max(1, config.slots() / rails), config.hotChunks() / rails);
  }
}
