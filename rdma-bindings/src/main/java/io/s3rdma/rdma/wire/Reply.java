package io.s3rdma.rdma.wire;

import java.util.Optional;

/**
 * A value of {@link RdmaHeaders#REPLY}: {@code 200} or {@code 206}, bytes moved by RDMA; {@code
 * 501}, declined (P-1.2); {@code 200:<endpoint token>}, the answer to a connect (P-2.2).
 *
 * @param status 200, 206 or 501
 * @param endpoint the server's end; only with 200
 */
public record Reply(int status, Optional<EndpointToken> endpoint) {
  /** A whole object moved. */
  public static final Reply WHOLE = new Reply(200, Optional.empty());

  /** A range or part moved. */
  public static final Reply PARTIAL = new Reply(206, Optional.empty());

  /** Nothing moved by RDMA. */
  public static final Reply DECLINED = new Reply(501, Optional.empty());

  private static final String CONNECTED_PREFIX = "200:";

  /**
   * @throws WireFormatException for another status, or an endpoint with a status other than 200
   */
  public Reply {
    if (status != 200 && status != 206 && status != 501) {
      throw new WireFormatException("reply", "status is none of 200, 206, 501");
    }
    if (endpoint.isPresent() && status != 200) {
      throw new WireFormatException("reply", "an endpoint comes only with 200");
    }
  }

  public static Reply connected(EndpointToken server) {
    return new Reply(200, Optional.of(server));
  }

  /**
   * @throws WireFormatException if {@code text} is none of the four forms; {@link
   *     InvalidTokenException} if its endpoint is malformed
   */
  public static Reply parse(String text) {
    if (text.startsWith(CONNECTED_PREFIX)) {
      return connected(EndpointToken.parse(text.substring(CONNECTED_PREFIX.length())));
    }
    return switch (text) {
      case "200" -> WHOLE;
      case "206" -> PARTIAL;
      case "501" -> DECLINED;
      default -> throw new WireFormatException("reply", "none of 200, 206, 501, 200:<endpoint>");
    };
  }

  public String encode() {
    return endpoint.map(e -> CONNECTED_PREFIX + e.encode()).orElseGet(() -> "" + status);
  }

  /** Whether the server says that RDMA carried the bytes. */
  public boolean moved() {
    return status != 501;
  }
}
