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
 * @param railInDoubt true if bytes did not get through, so that another rail is the better try
 */
record ServerFault(
    boolean isRdma,
    boolean connectionAlive,
    boolean retryWithNewConnection,
    long backoffMillis,
    boolean railInDoubt) {
  private static final ServerFault ORDINARY = new ServerFault(false, true, false, 0, false);

  static ServerFault of(S3Exception e) {
    String code = e.awsErrorDetails() == null ? "" : e.awsErrorDetails().errorCode();
    return switch (code == null ? "" : code) {
      // P-2.5: reconnect once and retry.
      case "NoSuchRdmaConnection" -> new ServerFault(true, false, true, 0, false);
      case "RdmaConnectionBusy" -> new ServerFault(true, false, true, 0, false);
      case "SlowDown" -> new ServerFault(true, true, true, 100, false);
      case "RdmaTransferFailed" -> new ServerFault(true, false, true, 0, true);
      case "RdmaDeadlineExceeded", "RdmaAccessRefused", "RdmaEvidenceContradicted" ->
          new ServerFault(true, false, false, 0, false);
      case "RdmaEndpointNotAllowed", "InvalidRDMAToken" ->
          new ServerFault(true, true, false, 0, false);
      case "RDMANotSupported" -> new ServerFault(true, true, false, 0, false);
      default -> e.statusCode() >= 500 ? new ServerFault(false, false, false, 0, false) : ORDINARY;
    };
  }
}
