package io.s3rdma.rdma.wire;

/**
 * The token of an object request over a reliable connection (P-3.1).
 *
 * <pre>
 *  0  3                                35 36               52 53       61 62       70
 *  +--+--------------------------------+-+----------------+-+--------+-+--------+
 *  |rc:  connection id, 32 hex         |:|  address 16    |:| size 8 |:| rkey 8 |
 *  +--+--------------------------------+-+----------------+-+--------+-+--------+
 * </pre>
 *
 * Written in lower case and zero padded; read in either case, the three numbers also shorter.
 *
 * @param connection the connection the server shall use
 * @param region PUT: the payload; GET: room in the window. 1 to 2^32-1 bytes
 */
public record RcToken(ConnectionId connection, RemoteDescriptor region) implements RdmaToken {
  /** The most bytes one token can cover. */
  public static final long SIZE_MAX = 0xffff_ffffL;

  static final String PREFIX = "rc:";

  /**
   * @throws WireFormatException if the region is larger than {@link #SIZE_MAX}
   */
  public RcToken {
    if (region.sizeBytes() > SIZE_MAX) {
      throw new WireFormatException("size", "more than 2^32-1 bytes");
    }
  }

  /**
   * @throws InvalidTokenException if {@code text} has another form (P-3.1, P-3.4)
   */
  public static RcToken parse(String text) {
    if (!text.startsWith(PREFIX)) {
      throw new InvalidTokenException(0, "token", "does not start with rc:");
    }
    TokenFields fields = new TokenFields(text, PREFIX.length());
    String connection = fields.digits("connection id", ConnectionId.DIGITS);
    long address = fields.hex("address", 1, 16);
    int sizeAt = fields.position();
    long size = fields.hex("size", 1, 8);
    int rkey = (int) fields.lastHex("rkey", 1, 8);
    return new RcToken(
        ConnectionId.parse(connection), TokenFields.region(sizeAt, address, size, rkey));
  }

  @Override
  public String encode() {
    return PREFIX
        + connection.hex()
        + ':'
        + Hex.padded(region.address(), 16)
        + ':'
        + Hex.padded(region.sizeBytes(), 8)
        + ':'
        + Hex.padded(region.rkey(), 8);
  }
}
