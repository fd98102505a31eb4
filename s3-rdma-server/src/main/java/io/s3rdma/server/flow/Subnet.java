package io.s3rdma.server.flow;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** An IP network as configured: {@code 10.9.0.0/24} or one address. */
public record Subnet(InetAddress network, int prefixBits) {
  /** Parses a literal; names are not looked up. */
  public static Subnet parse(String text) {
    int slash = text.indexOf('/');
    String host = slash < 0 ? text : text.substring(0, slash);
    if (host.isEmpty()
        || !host.chars().allMatch(c -> Character.digit(c, 16) >= 0 || c == '.' || c == ':')) {
      throw new IllegalArgumentException("'" + text + "' is not a network like 10.9.0.0/24");
    }
    try {
      InetAddress network = InetAddress.getByName(host);
      int bits = network.getAddress().length * 8;
      int prefix = slash < 0 ? bits : Integer.parseInt(text.substring(slash + 1));
      if (prefix < 0 || prefix > bits) {
        throw new IllegalArgumentException("'" + text + "' has a prefix over " + bits);
      }
      return new Subnet(network, prefix);
    } catch (UnknownHostException | NumberFormatException e) {
      throw new IllegalArgumentException("'" + text + "' is not a network like 10.9.0.0/24", e);
    }
  }

  boolean contains(InetAddress address) {
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
