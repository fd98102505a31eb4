package io.s3rdma.rdma.wire;

/**
 * A value of {@link RdmaHeaders#TOKEN} that is none of the three token forms; the server answers
 * 400 {@code InvalidRDMAToken} (P-3.4). The message names position and reason, never token text.
 */
public final class InvalidTokenException extends WireFormatException {
  private static final long serialVersionUID = 1L;

  private final int position;

  InvalidTokenException(int position, String field, String reason) {
    super("invalid RDMA token at character " + position + ": " + field + ": " + reason);
    this.position = position;
  }

  /** Index of the first character of the offending field, from 0. */
  public int position() {
    return position;
  }
}
