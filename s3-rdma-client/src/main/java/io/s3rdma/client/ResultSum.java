package io.s3rdma.client;

import io.s3rdma.rdma.wire.EvidenceText;
import java.util.Optional;

/** Several requests for one object as one result; it never states more than each of them proved. */
final class ResultSum {
  private ResultSum() {}

  static TransferResult plus(TransferResult a, TransferResult b) {
    return new TransferResult(
        b.transport() == Transport.HTTP ? Transport.HTTP : a.transport(),
        a.bytesByRdma() + b.bytesByRdma(),
        a.bytesByHttp() + b.bytesByHttp(),
        weaker(a.evidence(), b.evidence()),
        a.attempts() + b.attempts(),
        a.httpReason().or(b::httpReason),
        a.way(),
        a.objectBytes(),
        a.etag());
  }

  /** The sum states the weaker of the two verdicts, never more than each part proved. */
  private static Optional<EvidenceText> weaker(Optional<EvidenceText> a, Optional<EvidenceText> b) {
    if (a.isEmpty() || b.isEmpty()) {
      return Optional.empty();
    }
    EvidenceText x = a.get();
    EvidenceText y = b.get();
    String verdict = x.verdict().equals("exact") ? y.verdict() : x.verdict();
    return Optional.of(
        new EvidenceText(
            verdict,
            x.packets() + y.packets(),
            x.bytes() + y.bytes(),
            x.device(),
            x.port(),
            x.httpBytes() + y.httpBytes()));
  }

  /** The sum of parts as the result for the object they became. */
  static TransferResult ofObject(TransferResult sum, long objectBytes, String etag) {
    return new TransferResult(
        sum.transport(),
        sum.bytesByRdma(),
        sum.bytesByHttp(),
        sum.evidence(),
        sum.attempts(),
        sum.httpReason(),
        sum.way(),
        objectBytes,
        etag);
  }
}
