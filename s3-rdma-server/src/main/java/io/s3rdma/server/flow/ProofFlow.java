package io.s3rdma.server.flow;

import io.s3rdma.rdma.wire.ConnectionId;
import io.s3rdma.rdma.wire.EndpointToken;
import io.s3rdma.rdma.wire.RdmaHeaders;
import io.s3rdma.rdma.wire.RemoteDescriptor;
import io.s3rdma.server.http.Operation;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.http.S3Response;
import io.s3rdma.server.transfer.Deadline;
import io.s3rdma.server.transfer.TransferException;
import io.s3rdma.server.transfer.Transfers;
import java.io.IOException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The proof that who connects owns the endpoint it names (P-2.10, P-2.11): the server WRITEs a
 * nonce into the region of the endpoint token, the client tells it in a second signed request.
 */
public final class ProofFlow {
  /** Value of the header in a connect: the region of the token is for the nonce. */
  static final String OFFERED = "nonce";

  /** Value of the header in the answer. */
  static final String REQUIRED = "required";

  private static final int NONCE_BYTES = 32;
  private static final int CHALLENGE_MILLIS = 10_000;

  private final RdmaPath path;

  public ProofFlow(RdmaPath path) {
    this.path = path;
  }

  /** The operation below {@link RdmaHeaders#CHALLENGE_PATH}. */
  public Operation challenging() {
    return new ConnectOperation(this::challenge, path.settings().allowUnsignedConnect());
  }

  /** The operation below {@link RdmaHeaders#CONFIRM_PATH}. */
  public Operation confirming() {
    return new ConnectOperation(this::confirm, path.settings().allowUnsignedConnect());
  }

  /** Where a connecting client wants the nonce; empty if it need prove nothing. */
  static Optional<RemoteDescriptor> region(
      S3Request request, EndpointToken endpoint, RdmaSettings.PeerProof rule) {
    boolean offered = request.header(RdmaHeaders.PROOF).filter(OFFERED::equals).isPresent();
    if (offered && endpoint.lengthBytes() < NONCE_BYTES) {
      throw new S3Exception(
          S3ErrorCode.INVALID_RDMA_TOKEN, "the endpoint has no room for " + NONCE_BYTES + " bytes");
    }
    return switch (rule) {
      case OFF -> Optional.empty();
      case AUTO -> offered ? Optional.of(regionOf(endpoint)) : Optional.empty();
      case ON -> {
        if (!offered) {
          throw new S3Exception(
              S3ErrorCode.RDMA_ENDPOINT_NOT_ALLOWED,
              "this server asks for a proof that the endpoint is the client's own; see "
                  + RdmaHeaders.PROOF);
        }
        yield Optional.of(regionOf(endpoint));
      }
    };
  }

  private static RemoteDescriptor regionOf(EndpointToken endpoint) {
    return new RemoteDescriptor(endpoint.address(), NONCE_BYTES, endpoint.rkey());
  }

  /** P-2.10: 204 once the nonce is in the client's memory. */
  private S3Response challenge(S3Request request) throws IOException {
    Transfers transfers = transfers();
    Deadline deadline = Deadline.since(request.head().receivedNanos(), CHALLENGE_MILLIS);
    try {
      transfers.challenge(
          session(request), RdmaPath.ownerOf(request), deadline, request.cancel()::onCancel);
      return S3Response.of(204);
    } catch (TransferException e) {
      if (e.failure() == TransferException.Failure.NO_STAGING_MEMORY) {
        throw new S3Exception(S3ErrorCode.SLOW_DOWN, e.getMessage())
            .withHeader(RdmaPath.RETRY_AFTER, "1");
      }
      throw RdmaPath.answerOf(e);
    }
  }

  /** P-2.11. */
  private S3Response confirm(S3Request request) throws IOException {
    Transfers transfers = transfers();
    if (request.accessKey() != null && !request.isSigned(RdmaHeaders.PROOF)) {
      throw new S3Exception(
          S3ErrorCode.ACCESS_DENIED, RdmaHeaders.PROOF + " must be under the signature");
    }
    byte[] nonce = nonce(request);
    try {
      transfers.confirm(session(request), RdmaPath.ownerOf(request), nonce);
      return S3Response.of(204);
    } catch (TransferException e) {
      throw RdmaPath.answerOf(e);
    }
  }

  private static byte[] nonce(S3Request request) {
    String text = request.header(RdmaHeaders.PROOF).orElse("");
    if (text.length() != 2 * NONCE_BYTES || !text.chars().allMatch(HexFormat::isHexDigit)) {
      throw new S3Exception(
          S3ErrorCode.INVALID_ARGUMENT, RdmaHeaders.PROOF + " is not 64 hex digits");
    }
    return HexFormat.of().parseHex(text);
  }

  private static ConnectionId session(S3Request request) {
    return ConnectFlow.session(request);
  }

  private Transfers transfers() {
    return path.transfers().orElseThrow(() -> path.declinedPut(path.whyNone()));
  }
}
