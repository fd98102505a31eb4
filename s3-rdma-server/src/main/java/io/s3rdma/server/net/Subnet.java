package io.s3rdma.server.net;

import java.net.InetAddress;
import java.util.regex.Pattern;

/** An IP network as configured: {@code 10.9.0.0/24} or one address. */
public record Subnet(InetAddress network, int prefixBits) {
  // Java reads 10.9 as 10.0.0.9, which nobody means who writes 10.9/16.
  private static final Pattern IPV4 = Pattern.compile("[0-9]+(\\.[0-9]+){3}");
  private static final Pattern PREFIX = Pattern.compile("[0-9]{1,3}");

  /** Parses a literal with all its parts; names are not looked up. */
  public static Subnet parse(String text) {
    int slash = text.indexOf('/');
    String host = slash < 0 ? text : text.substring(0, slash);
    String prefix = slash < 0 ? "" : text.substring(slash + 1);
    boolean whole = host.indexOf(':') >= 0 || IPV4.matcher(host).matches();
    if (!whole || (slash >= 0 && !PREFIX.matcher(prefix).matches())) {
      throw new IllegalArgumentException("'" + text + "' is not a network like 10.9.0.0/24");
    }
    InetAddress network = literal(host, text);
    int bits = network.getAddress().length * 8;
    int prefixBits = slash < 0 ? bits : Integer.parseInt(prefix);
    if (prefixBits > bits) {
      throw new IllegalArgumentException("'" + text + "' has a prefix over " + bits);
    }
    return new Subnet(network, prefixBits);
  }

  private static InetAddress literal(String host, String text) {
    try {
      return InetAddress.ofLiteral(host);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("'" + text + "' is not a network like 10.9.0.0/24", e);
    }
  }

  /** An address of the other family is in no network of this one. */
  public boolean contains(InetAddress address) {
    byte[] mine = network.getAddress();
    byte[] other = address.getAddress();
    if (mine.length != other.length) {
      return false;
    }
    for (int bit = 0; bit < prefixBits; bit++) {
      int mask = 0x80 >> (bit % 8);
      if ((mine[bit / 8] & mask) != (other[bit / 8] & mask)) {
        return false;
      }
    }
    return true;
  }
}
