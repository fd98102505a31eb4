package io.s3rdma.server.encryption;

import java.nio.charset.StandardCharsets;

/**
 * The secret of one object or upload, random and never used for another. It encrypts nothing
 * itself: each data item (the object's one file, or each part) has a key that is derived from it
 * and the item's salt. Immutable.
 */
public final class ObjectKey {
  private final byte[] octets;

  /** The array is handed over. */
  ObjectKey(byte[] octets) {
    this.octets = octets;
  }

  public static ObjectKey random() {
    return new ObjectKey(Wrapping.random(Wrapping.KEY_BYTES));
  }

  /**
   * The cipher of one data item.
   *
   * @param salt not secret, but never the same for two items with different bytes
   */
  public DataCipher cipher(String salt) {
    byte[] octetsOfSalt = salt.getBytes(StandardCharsets.UTF_8);
    return new DataCipher(Wrapping.derive(octets, "s3rdma data 1", octetsOfSalt));
  }

  /** Not a copy; for sealing. */
  byte[] octets() {
    return octets;
  }

  @Override
  public String toString() {
    return "ObjectKey";
  }
}
