package io.s3rdma.rdma.wire;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/**
 * The 16-byte address of an RDMA port, in wire order. On RoCE v2 it is an IPv6 address, or an IPv4
 * address in mapped form ({@code ::ffff:a.b.c.d}).
 */
public final class Gid {
  /** Bytes in a GID. */
  public static final int BYTES = 16;

  static final int DIGITS = 2 * BYTES;
  private static final long MAPPED_PREFIX = 0xffffL;
  private static final long FE80_TOP_10_BITS = 0xfe80L >>> 6;
  private static final long IPV4_LINK_LOCAL = 169L << 8 | 254;

  private final long high;
  private final long low;

  private Gid(long high, long low) {
    this.high = high;
    this.low = low;
  }

  /**
   * @throws WireFormatException if {@code bytes} is not 16 long
   */
  public static Gid ofBytes(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new WireFormatException("gid", bytes.length + " bytes instead of " + BYTES);
    }
    return read(ByteBuffer.wrap(bytes));
  }

  /**
   * @throws WireFormatException if {@code text} is not exactly 32 hex digits of either case
   */
  public static Gid parse(String text) {
    if (text.length() != DIGITS) {
      throw new WireFormatException("gid", text.length() + " characters instead of " + DIGITS);
    }
    int bad = Hex.firstNonDigit(text, 0, DIGITS);
    if (bad >= 0) {
      throw new WireFormatException("gid", "not a hex digit at character " + bad);
    }
    return new Gid(Hex.value(text, 0, 16), Hex.value(text, 16, DIGITS));
  }

  /** The GID a RoCE v2 port has for this address; an IPv6 scope is dropped. */
  public static Gid ofInetAddress(InetAddress address) {
    ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
    if (address instanceof Inet4Address) {
      return new Gid(0, MAPPED_PREFIX << 32 | Integer.toUnsignedLong(bytes.getInt()));
    }
    return new Gid(bytes.getLong(), bytes.getLong());
  }

  /** Reads 16 bytes in wire order, whatever the order of {@code in}. */
  static Gid read(ByteBuffer in) {
    byte[] bytes = new byte[BYTES];
    in.get(bytes);
    ByteBuffer big = ByteBuffer.wrap(bytes);
    return new Gid(big.getLong(), big.getLong());
  }

  public byte[] toBytes() {
    return ByteBuffer.allocate(BYTES).putLong(high).putLong(low).array();
  }

  public boolean isZero() {
    return (high | low) == 0;
  }

  public boolean isIpv4Mapped() {
    return high == 0 && low >>> 32 == MAPPED_PREFIX;
  }

  /** In fe80::/10, or mapped from 169.254/16: never routed, so no address of a peer elsewhere. */
  public boolean isLinkLocal() {
    return high >>> 54 == FE80_TOP_10_BITS
        || (isIpv4Mapped() && (low & 0xffff_ffffL) >>> 16 == IPV4_LINK_LOCAL);
  }

  /** An {@link Inet4Address} for the mapped form, else an IPv6 address. */
  public InetAddress toInetAddress() {
    try {
      return InetAddress.getByAddress(toBytes());
    } catch (UnknownHostException e) {
      throw new AssertionError("16 bytes are always an address", e);
    }
  }

  /** Whether the first bits, 0 to 128, are the same: those that name a network. */
  public boolean sharesBits(Gid other, int bits) {
    long highMask = bits >= 64 ? -1 : bits == 0 ? 0 : -1L << (64 - bits);
    long lowMask = bits <= 64 ? 0 : -1L << (128 - bits);
    return ((high ^ other.high) & highMask) == 0 && ((low ^ other.low) & lowMask) == 0;
  }

  /** 32 digits, lower case. */
  public String hex() {
    return Hex.padded(high, 16) + Hex.padded(low, 16);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Gid that && high == that.high && low == that.low;
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(high) + Long.hashCode(low);
  }

  @Override
  public String toString() {
    return hex();
  }
}
