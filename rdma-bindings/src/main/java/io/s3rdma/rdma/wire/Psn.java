package io.s3rdma.rdma.wire;

import java.security.SecureRandom;

/**
 * The first packet sequence number of one direction of a connection: 24 bits, never 0 (P-2.2),
 * drawn from a secure source because a guessed PSN lets a third host inject packets.
 *
 * @param value 1 to 0xffffff
 */
public record Psn(int value) {
  static final int MAX = 0xffffff;
  private static final int DIGITS = 6;
  private static final SecureRandom RANDOM = new SecureRandom();

  /**
   * @throws WireFormatException if {@code value} is 0 or does not fit into 24 bits
   */
  public Psn {
    if (value < 1 || value > MAX) {
      throw new WireFormatException("psn", "not in 1 to ffffff");
    }
  }

  public static Psn random() {
    return new Psn(1 + RANDOM.nextInt(MAX));
  }

  /**
   * @throws WireFormatException if {@code text} is not exactly 6 hex digits of either case, or is 0
   */
  public static Psn parse(String text) {
    if (text.length() != DIGITS) {
      throw new WireFormatException("psn", text.length() + " characters instead of " + DIGITS);
    }
    int bad = Hex.firstNonDigit(text, 0, DIGITS);
    if (bad >= 0) {
      throw new WireFormatException("psn", "not a hex digit at character " + bad);
    }
    return new Psn((int) Hex.value(text, 0, DIGITS));
  }

  /** 6 digits, lower case. */
  public String hex() {
    return Hex.padded(value, DIGITS);
  }
}
