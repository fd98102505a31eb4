package io.s3rdma.server.negotiation;

import io.s3rdma.rdma.wire.DcToken;
import io.s3rdma.rdma.wire.DeclineReason;
import io.s3rdma.rdma.wire.EndpointToken;
import io.s3rdma.rdma.wire.InvalidTokenException;
import io.s3rdma.rdma.wire.RcToken;
import io.s3rdma.rdma.wire.RdmaToken;
import io.s3rdma.server.negotiation.Decision.Declined;
import io.s3rdma.server.negotiation.Decision.NothingToMove;
import io.s3rdma.server.negotiation.Decision.PlainHttp;
import io.s3rdma.server.negotiation.Decision.Rdma;
import io.s3rdma.server.negotiation.Decision.Refusal;
import io.s3rdma.server.negotiation.Decision.Refused;
import java.util.Optional;

/**
 * Decides once per request, after authentication and conditions (P-4.1). Pure: no I/O, no state.
 */
public final class Negotiator {
  private Negotiator() {}

  /**
   * GET: the selected bytes go into the client's window.
   *
   * @param token the header's value, or empty
   * @param selectedBytes bytes of the object or range
   */
  public static Decision forGet(
      Optional<String> token, long selectedBytes, Capabilities capabilities) {
    return decide(
        token,
        capabilities,
        rc -> {
          if (selectedBytes == 0) {
            return new NothingToMove();
          }
          if (rc.region().sizeBytes() < selectedBytes) {
            // P-4.2: nothing is written; the client sends a Range.
            return new Refused(
                Refusal.WINDOW_TOO_SMALL,
                "the window has %d bytes, the selection %d; ask for a range that fits"
                    .formatted(rc.region().sizeBytes(), selectedBytes));
          }
          return sized(rc, selectedBytes, capabilities);
        });
  }

  /**
   * PUT: exactly the token's size is read.
   *
   * @param hasBody true if a body or a Transfer-Encoding came next to the token
   */
  public static Decision forPut(
      Optional<String> token, boolean hasBody, Capabilities capabilities) {
    if (token.isPresent() && hasBody) {
      // P-4.3
      return new Refused(
          Refusal.BODY_WITH_TOKEN, "a request with x-amz-rdma-token carries no body of its own");
    }
    return decide(token, capabilities, rc -> sized(rc, rc.region().sizeBytes(), capabilities));
  }

  private static Decision sized(RcToken token, long bytes, Capabilities capabilities) {
    return bytes < capabilities.objectBytesMin()
        ? new Declined(DeclineReason.OBJECT_TOO_SMALL)
        : new Rdma(token, bytes);
  }

  private interface RcCase {
    Decision decide(RcToken token);
  }

  private static Decision decide(Optional<String> text, Capabilities capabilities, RcCase rcCase) {
    if (text.isEmpty()) {
      return new PlainHttp();
    }
    RdmaToken token;
    try {
      token = RdmaToken.parse(text.get());
    } catch (InvalidTokenException e) {
      // P-3.4: malformed is the client's fault, whatever the server can do.
      return new Refused(Refusal.INVALID_TOKEN, e.getMessage());
    }
    if (capabilities.unusable().isPresent()) {
      return new Declined(capabilities.unusable().get());
    }
    return switch (token) {
      case RcToken rc -> rcCase.decide(rc);
      // P-3.3: this server has no DC transport.
      case DcToken dc -> new Declined(DeclineReason.NO_DC_TRANSPORT);
      case EndpointToken endpoint -> new Declined(DeclineReason.UNSUPPORTED_TOKEN_KIND);
    };
  }
}
