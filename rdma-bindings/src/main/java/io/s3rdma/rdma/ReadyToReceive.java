package io.s3rdma.rdma;

import io.s3rdma.rdma.wire.Gid;

/**
 * What a queue pair must know of its peer.
 *
 * @param receivePsn the peer's first send PSN, 24 bits
 * @param mtuBytes path MTU: the smaller of both ports' active MTU
 * @param incomingReads READs this side answers at once; at least 1, or the peer's READ hangs on
 *     Soft-RoCE
 * @param trafficClass DSCP shifted by two
 */
public record ReadyToReceive(
    Gid remoteGid,
    int remoteQueuePairNumber,
    int receivePsn,
    int port,
    int gidIndex,
    int mtuBytes,
    int incomingReads,
    int trafficClass,
    int remoteLid) {
  static final int MIN_RNR_TIMER = 12;
  static final int HOP_LIMIT = 64;

  public ReadyToReceive {
    if (incomingReads < 1) {
      throw RdmaException.misuse("incomingReads is " + incomingReads + "; it must be at least 1");
    }
  }
}
