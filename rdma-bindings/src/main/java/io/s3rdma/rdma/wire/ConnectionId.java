package io.s3rdma.rdma.wire;

import java.security.SecureRandom;

/**
 * Names one reliable connection (P-2.2): 128 random bits, 32 hex digits on the wire. Knowing it is
 * not enough to use it (P-2.4), yet it is logged only in part.
 */
public final class ConnectionId {
  static final int DIGITS = 32;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final long high;
  private final long low;

  private ConnectionId(long high, long low) {
    this.high = high;
    this.low = low;
  }

  public static ConnectionId random() {
    return new ConnectionId(RANDOM.nextLong(), RANDOM.nextLong());
  }

  /**
   * @throws WireFormatException if {@code text} is not exactly 32 hex digits of either case
   */
  public static ConnectionId parse(String text) {
    if (text.length() != DIGITS) {
      throw new WireFormatException(
          "connection id", text.length() + " characters instead of " + DIGITS);
    }
    int bad = Hex.firstNonDigit(text, 0, DIGITS);
    if (bad >= 0) {
      throw new WireFormatException("connection id", "not a hex digit at character " + bad);
    }
    return new ConnectionId(Hex.value(text, 0, 16), Hex.value(text, 16, DIGITS));
  }

  /** All 32 digits, lower case: for headers only. */
  public String hex() {
    return Hex.padded(high, 16) + Hex.padded(low, 16);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ConnectionId that && high == that.high && low == that.low;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(high ^ low);
  }

  /** The first 8 digits: enough to follow a connection in a log, too few to name it. */
  @Override
  public String toString() {
    return Hex.padded(high, 16).substring(0, 8) + "…";
  }
}
