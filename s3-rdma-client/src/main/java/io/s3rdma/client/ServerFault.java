package io.s3rdma.client;

import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * What an S3 error means for an RDMA attempt (P-6). Looks at the HTTP status and code first: an
 * ordinary S3 refusal is not a decline.
 *
 * @param isRdma true if the error is about the RDMA way and not about the request
 * @param connectionAlive false if the server ended the connection with this answer
 * @param retryWithNewConnection true if the same request with a new connection may well work
 * @param backoffMillis wait before that
 */
record ServerFault(
    boolean isRdma, boolean connectionAlive, boolean retryWithNewConnection, long backoffMillis) {
  private static final ServerFault ORDINARY = new ServerFault(false, true, false, 0);

  static ServerFault of(S3Exception e) {
    String code = e.awsErrorDetails() == null ? "" : e.awsErrorDetails().errorCode();
    return switch (code == null ? "" : code) {
      // P-2.5: reconnect once and retry.
      case "NoSuchRdmaConnection" -> new ServerFault(true, false, true, 0);
      case "RdmaConnectionBusy" -> new ServerFault(true, false, true, 0);
      case "SlowDown" -> new ServerFault(true, true, true, 100);
      case "RdmaTransferFailed" -> new ServerFault(true, false, true, 0);
      case "RdmaDeadlineExceeded", "RdmaAccessRefused", "RdmaEvidenceContradicted" ->
          new ServerFault(true, false, false, 0);
      case "RdmaEndpointNotAllowed", "InvalidRDMAToken" -> new ServerFault(true, true, false, 0);
      case "RDMANotSupported" -> new ServerFault(true, true, false, 0);
      default -> e.statusCode() >= 500 ? new ServerFault(false, false, false, 0) : ORDINARY;
    };
  }
}
