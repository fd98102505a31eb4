package io.s3rdma.rdma.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * One end of a connection, as the connect exchange carries it (P-2.1, P-2.2, P-3.2): 44 bytes as 88
 * hex digits, integers little-endian, the GID in wire order.
 *
 * <pre>
 *  0        1        5                 21       25       33       41     42     44
 *  +--------+--------+-----------------+--------+--------+--------+------+------+
 *  |transp 1| qpn  4 |    gid  16      | rkey 4 | addr 8 | len  8 |port 1|lid  2|
 *  +--------+--------+-----------------+--------+--------+--------+------+------+
 * </pre>
 *
 * @param transport what the queue pair is
 * @param qpNumber 24 bits, not 0: number 0 belongs to subnet management
 * @param gid the port's address
 * @param rkey key of a region; 0 in a connect. Never printed
 * @param address first byte of the region; 0 in a connect
 * @param lengthBytes 0 in a connect, at most 2^63-1
 * @param port port of the device, 8 bits
 * @param lid InfiniBand LID, 16 bits; 0 on RoCE
 */
public record EndpointToken(
    Transport transport,
    int qpNumber,
    Gid gid,
    int rkey,
    long address,
    long lengthBytes,
    int port,
    int lid)
    implements RdmaToken {

  /** Kind of queue pair; the wire value is the ordinal's meaning in P-3.2. */
  public enum Transport {
    DC(0),
    RC(1);

    private final int wire;

    Transport(int wire) {
      this.wire = wire;
    }
  }

  static final int BYTES = 44;
  static final int DIGITS = 2 * BYTES;

  private static final int TRANSPORT_AT = 0;
  private static final int QPN_AT = 1;
  private static final int GID_AT = 5;
  private static final int RKEY_AT = 21;
  private static final int ADDRESS_AT = 25;
  private static final int LENGTH_AT = 33;
  private static final int PORT_AT = 41;
  private static final int LID_AT = 42;

  /**
   * @throws WireFormatException if a value does not fit into its field
   */
  public EndpointToken {
    Fault fault = fault(qpNumber, address, lengthBytes);
    if (fault != null) {
      throw new WireFormatException(fault.field, fault.reason);
    }
    if (port < 0 || port > 0xff) {
      throw new WireFormatException("port", "not in 8 bits");
    }
    if (lid < 0 || lid > 0xffff) {
      throw new WireFormatException("lid", "not in 16 bits");
    }
  }

  /** The form of a connect: no memory region. */
  public static EndpointToken forConnect(int qpNumber, Gid gid, int port, int lid) {
    return new EndpointToken(Transport.RC, qpNumber, gid, 0, 0, 0, port, lid);
  }

  /**
   * @throws InvalidTokenException if {@code text} has another form (P-3.2, P-3.4)
   */
  public static EndpointToken parse(String text) {
    if (text.length() != DIGITS) {
      throw new InvalidTokenException(
          0, "token", text.length() + " characters instead of " + DIGITS);
    }
    int bad = Hex.firstNonDigit(text, 0, DIGITS);
    if (bad >= 0) {
      throw new InvalidTokenException(bad, "endpoint", "not a hex digit");
    }
    ByteBuffer in = ByteBuffer.wrap(Hex.LOWER.parseHex(text)).order(ByteOrder.LITTLE_ENDIAN);
    Transport transport =
        switch (in.get(TRANSPORT_AT)) {
          case 0 -> Transport.DC;
          case 1 -> Transport.RC;
          default -> throw at(TRANSPORT_AT, "transport", "neither DC nor RC");
        };
    int qpNumber = in.getInt(QPN_AT);
    long address = in.getLong(ADDRESS_AT);
    long length = in.getLong(LENGTH_AT);
    Fault fault = fault(qpNumber, address, length);
    if (fault != null) {
      throw at(fault.at, fault.field, fault.reason);
    }
    return new EndpointToken(
        transport,
        qpNumber,
        Gid.read(in.slice(GID_AT, Gid.BYTES)),
        in.getInt(RKEY_AT),
        address,
        length,
        Byte.toUnsignedInt(in.get(PORT_AT)),
        Short.toUnsignedInt(in.getShort(LID_AT)));
  }

  @Override
  public String encode() {
    ByteBuffer out = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    out.put(TRANSPORT_AT, (byte) transport.wire);
    out.putInt(QPN_AT, qpNumber);
    out.put(GID_AT, gid.toBytes());
    out.putInt(RKEY_AT, rkey);
    out.putLong(ADDRESS_AT, address);
    out.putLong(LENGTH_AT, lengthBytes);
    out.put(PORT_AT, (byte) port);
    out.putShort(LID_AT, (short) lid);
    return Hex.LOWER.formatHex(out.array());
  }

  /** The rules that both the constructor and the parser hold, each at its field's first byte. */
  private static Fault fault(int qpNumber, long address, long lengthBytes) {
    if (qpNumber < 1 || qpNumber > 0xffffff) {
      return new Fault(QPN_AT, "qpn", "not in 1 to ffffff");
    }
    if (lengthBytes < 0) {
      return new Fault(LENGTH_AT, "length", "more than 2^63-1");
    }
    if (RemoteDescriptor.wraps(address, lengthBytes)) {
      return new Fault(LENGTH_AT, "length", "address + length overflows 64 bits");
    }
    return null;
  }

  private static InvalidTokenException at(int byteOffset, String field, String reason) {
    return new InvalidTokenException(2 * byteOffset, field, reason);
  }

  private record Fault(int at, String field, String reason) {}

  @Override
  public String toString() {
    return "EndpointToken[%s, qpn=0x%06x, gid=%s, port=%d, lid=%d, rkey=hidden]"
        .formatted(transport, qpNumber, gid, port, lid);
  }
}
