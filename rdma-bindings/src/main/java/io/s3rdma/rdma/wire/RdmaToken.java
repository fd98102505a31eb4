package io.s3rdma.rdma.wire;

/** A value of {@link RdmaHeaders#TOKEN}: one of three forms, told apart by prefix and length. */
public sealed interface RdmaToken permits RcToken, DcToken, EndpointToken {

  /** The header's text. A secret: it holds a remote key. */
  String encode();

  /**
   * Reads a header value strictly: no white space, no suffix, no other form.
   *
   * @throws InvalidTokenException for everything that is not exactly one token (P-3.4)
   */
  static RdmaToken parse(String text) {
    if (text.startsWith(RcToken.PREFIX)) {
      return RcToken.parse(text);
    }
    return switch (text.length()) {
      case EndpointToken.DIGITS -> EndpointToken.parse(text);
      case DcToken.LENGTH -> DcToken.parse(text);
      default ->
          throw new InvalidTokenException(0, "token", text.length() + " characters fit no form");
    };
  }
}
