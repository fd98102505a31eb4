package io.s3rdma.bench;

import io.s3rdma.client.TransferResult;
import io.s3rdma.client.Transport;
import io.s3rdma.counters.Verdict;

/** A figure is one of RDMA only if the server proved that RDMA moved the bytes. */
final class Proved {
  private Proved() {}

  static void check(TransferResult result, Transport expected, long bytes) {
    boolean proved =
        expected == Transport.HTTP || result.verdict().equals(Verdict.EXACT.wireText());
    if (result.transport() != expected || result.bytes() != bytes || !proved) {
      throw new IllegalStateException("not what was to be measured: " + result);
    }
  }
}
