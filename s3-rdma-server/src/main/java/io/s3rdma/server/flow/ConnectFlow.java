package io.s3rdma.server.flow;

import io.s3rdma.rdma.wire.ConnectionId;
import io.s3rdma.rdma.wire.DeclineReason;
import io.s3rdma.rdma.wire.EndpointToken;
import io.s3rdma.rdma.wire.Psn;
import io.s3rdma.rdma.wire.RdmaHeaders;
import io.s3rdma.rdma.wire.RemoteDescriptor;
import io.s3rdma.rdma.wire.Reply;
import io.s3rdma.rdma.wire.WireFormatException;
import io.s3rdma.server.http.Operation;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.http.S3Response;
import io.s3rdma.server.transfer.ConnectAnswer;
import io.s3rdma.server.transfer.ConnectRequest;
import io.s3rdma.server.transfer.TransferException;
import io.s3rdma.server.transfer.Transfers;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;

/** Opens and ends connections (section 2 of the contract). */
public final class ConnectFlow {
  private final RdmaPath path;
  private final PeerRule peers;

  public ConnectFlow(RdmaPath path) {
    this.path = path;
    this.peers = new PeerRule(path.settings().clientSubnets());
  }

  /** The operation below {@link RdmaHeaders#CONNECT_PATH}. */
  public Operation connecting() {
    return new ConnectOperation(this::connect, path.settings().allowUnsignedConnect());
  }

  /** The operation below {@link RdmaHeaders#DISCONNECT_PATH}. */
  public Operation disconnecting() {
    return new ConnectOperation(this::disconnect, path.settings().allowUnsignedConnect());
  }

  private S3Response connect(S3Request request) throws IOException {
    Transfers transfers = path.transfers().orElseThrow(() -> path.declinedPut(path.whyNone()));
    EndpointToken endpoint = endpoint(request);
    if (endpoint.transport() != EndpointToken.Transport.RC) {
      throw new S3Exception(S3ErrorCode.INVALID_RDMA_TOKEN, "the endpoint is not of transport RC");
    }
    if (!peers.allows(endpoint.gid(), request.remote())) {
      throw new S3Exception(
          S3ErrorCode.RDMA_ENDPOINT_NOT_ALLOWED,
          "GID "
              + endpoint.gid()
              + " is not the HTTP peer "
              + request.remote().getHostAddress()
              + "; reach the server by the RDMA interface's address or list rdma.client-subnets");
    }
    String owner = RdmaPath.ownerOf(request);
    if (transfers.isCoolingDown(owner, endpoint.gid())) {
      throw path.declinedPut(DeclineReason.RDMA_DISABLED); // P-2.12
    }
    Optional<RemoteDescriptor> proof =
        ProofFlow.region(request, endpoint, path.settings().peerProof());
    try {
      S3Response answer =
          answer(
              transfers.connect(
                  new ConnectRequest(
                      owner,
                      endpoint.gid(),
                      endpoint.qpNumber(),
                      endpoint.lid(),
                      psn(request),
                      decimal(request, RdmaHeaders.MTU, 256, 4096),
                      decimal(request, RdmaHeaders.RD_ATOMIC, 1, 255),
                      request.local(),
                      proof)));
      return proof.isPresent() ? answer.withHeader(RdmaHeaders.PROOF, ProofFlow.REQUIRED) : answer;
    } catch (TransferException e) {
      if (e.failure() == TransferException.Failure.RAIL_OUT) {
        throw path.declinedPut(DeclineReason.PORT_DOWN);
      }
      throw RdmaPath.answerOf(e);
    }
  }

  // P-2.2
  private static S3Response answer(ConnectAnswer connected) {
    return S3Response.of(200)
        .withHeader(RdmaHeaders.SESSION, connected.id().hex())
        .withHeader(RdmaHeaders.REPLY, Reply.connected(connected.endpoint()).encode())
        .withHeader(RdmaHeaders.PSN, connected.sendPsn().hex())
        .withHeader(RdmaHeaders.MTU, Integer.toString(connected.mtuBytes()))
        .withHeader(RdmaHeaders.RD_ATOMIC, Integer.toString(connected.outgoingReads()));
  }

  private static EndpointToken endpoint(S3Request request) {
    try {
      return EndpointToken.parse(required(request, RdmaHeaders.TOKEN));
    } catch (WireFormatException e) {
      throw new S3Exception(S3ErrorCode.INVALID_RDMA_TOKEN, e.getMessage());
    }
  }

  private static Psn psn(S3Request request) {
    try {
      return Psn.parse(required(request, RdmaHeaders.PSN));
    } catch (WireFormatException e) {
      throw new S3Exception(S3ErrorCode.INVALID_RDMA_TOKEN, e.getMessage());
    }
  }

  private static String required(S3Request request, String header) {
    return request
        .header(header)
        .orElseThrow(() -> new S3Exception(S3ErrorCode.INVALID_RDMA_TOKEN, header + " is missing"));
  }

  private static OptionalInt decimal(S3Request request, String header, int min, int max) {
    String text = request.header(header).orElse("");
    if (text.isEmpty()) {
      return OptionalInt.empty();
    }
    if (text.length() > 5 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw new S3Exception(S3ErrorCode.INVALID_ARGUMENT, header + " is not a decimal number");
    }
    int value = Integer.parseInt(text);
    boolean isMtu = header.equals(RdmaHeaders.MTU);
    if (value < min || value > max || (isMtu && Integer.bitCount(value) != 1)) {
      throw new S3Exception(
          S3ErrorCode.INVALID_ARGUMENT, header + " " + value + " is not in " + min + ".." + max);
    }
    return OptionalInt.of(value);
  }

  /** P-2.3: 204 whether or not it was there. */
  private S3Response disconnect(S3Request request) {
    ConnectionId id = session(request);
    path.transfers().ifPresent(t -> t.disconnect(id, RdmaPath.ownerOf(request)));
    return S3Response.of(204);
  }

  /** The connection that a request is about. */
  static ConnectionId session(S3Request request) {
    try {
      return ConnectionId.parse(required(request, RdmaHeaders.SESSION));
    } catch (WireFormatException e) {
      throw new S3Exception(S3ErrorCode.INVALID_ARGUMENT, e.getMessage());
    }
  }
}
