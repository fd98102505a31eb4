package io.s3rdma.client;

import io.s3rdma.rdma.RegistrationWay;
import io.s3rdma.rdma.wire.EvidenceText;
import java.util.Optional;

/**
 * How a transfer went (P-7.2).
 *
 * @param transport what carried the object's bytes
 * @param bytesByRdma bytes that the server moved by RDMA and proved
 * @param bytesByHttp bytes that came or went in an HTTP body
 * @param evidence the server's proof; empty if nothing moved by RDMA
 * @param attempts requests made for it, the successful one included
 * @param httpReason why HTTP carried the bytes; empty if RDMA did
 * @param way how the buffer was made reachable; empty if RDMA was not tried
 * @param objectBytes size of the whole object
 * @param etag the object's ETag, with its quotes
 */
public record TransferResult(
    Transport transport,
    long bytesByRdma,
    long bytesByHttp,
    Optional<EvidenceText> evidence,
    int attempts,
    Optional<String> httpReason,
    Optional<RegistrationWay> way,
    long objectBytes,
    String etag) {
  /** Bytes of the object now in the buffer, or stored. */
  public long bytes() {
    return bytesByRdma + bytesByHttp;
  }

  /** The verdict's text, "-" where there is none. */
  public String verdict() {
    return evidence.map(EvidenceText::verdict).orElse("-");
  }
}
