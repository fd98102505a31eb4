package io.s3rdma.rdma.wire;

/**
 * The token of an object request over dynamically connected transport, as cuObject writes it
 * (P-3.3): exactly 81 characters, lower case, most significant digit first.
 *
 * <pre>
 *  0                16 17       25 26       34 35   39 40     46 47 48 49                       81
 *  +----------------+-+--------+-+--------+-+------+-+------+-+-+-+--------------------------+
 *  |   raddr 16     |:| rsize 8|:| rkey 8 |:| lid 4|:|dctn 6|:|v|:|         gid 32           |
 *  +----------------+-+--------+-+--------+-+------+-+------+-+-+-+--------------------------+
 *  v: 1 = gid is valid, 0 = it is not
 * </pre>
 *
 * @param region the client's window, 1 to 2^32-1 bytes
 * @param lid InfiniBand LID, 16 bits; 0 on RoCE
 * @param dctNumber number of the client's DC target, 24 bits
 * @param gidValid whether {@code gid} names the client's port
 * @param gid the client's port
 */
public record DcToken(RemoteDescriptor region, int lid, int dctNumber, boolean gidValid, Gid gid)
    implements RdmaToken {
  static final int LENGTH = 81;

  /**
   * @throws WireFormatException if a value does not fit into its field
   */
  public DcToken {
    if (region.sizeBytes() > RcToken.SIZE_MAX) {
      throw new WireFormatException("size", "more than 2^32-1 bytes");
    }
    if (lid < 0 || lid > 0xffff) {
      throw new WireFormatException("lid", "not in 16 bits");
    }
    if (dctNumber < 0 || dctNumber > 0xffffff) {
      throw new WireFormatException("dctn", "not in 24 bits");
    }
  }

  /**
   * @throws InvalidTokenException if {@code text} has another form (P-3.3, P-3.4)
   */
  public static DcToken parse(String text) {
    if (text.length() != LENGTH) {
      throw new InvalidTokenException(
          0, "token", text.length() + " characters instead of " + LENGTH);
    }
    TokenFields fields = new TokenFields(text, 0);
    long address = fields.hex("raddr", 16, 16);
    int sizeAt = fields.position();
    long size = fields.hex("rsize", 8, 8);
    int rkey = (int) fields.hex("rkey", 8, 8);
    int lid = (int) fields.hex("lid", 4, 4);
    int dctNumber = (int) fields.hex("dctn", 6, 6);
    int validAt = fields.position();
    long valid = fields.hex("gid valid", 1, 1);
    if (valid > 1) {
      throw new InvalidTokenException(validAt, "gid valid", "neither 0 nor 1");
    }
    String gid = fields.lastDigits("gid", Gid.DIGITS);
    TokenFields.requireLowerCase(text);
    RemoteDescriptor region = TokenFields.region(sizeAt, address, size, rkey);
    return new DcToken(region, lid, dctNumber, valid == 1, Gid.parse(gid));
  }

  @Override
  public String encode() {
    return String.join(
        ":",
        Hex.padded(region.address(), 16),
        Hex.padded(region.sizeBytes(), 8),
        Hex.padded(region.rkey(), 8),
        Hex.padded(lid, 4),
        Hex.padded(dctNumber, 6),
        gidValid ? "1" : "0",
        gid.hex());
  }
}
