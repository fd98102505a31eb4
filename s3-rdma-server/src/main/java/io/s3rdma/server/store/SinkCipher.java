package io.s3rdma.server.store;

import io.s3rdma.server.encryption.CustomerKey;
import io.s3rdma.server.encryption.DataCipher;
import io.s3rdma.server.encryption.ObjectKey;
import io.s3rdma.server.encryption.SealedKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Optional;

/** How the bytes of one data item are encrypted before they are kept, if they are. One thread. */
final class SinkCipher {
  /** What is kept as it came. */
  static final SinkCipher NONE = new SinkCipher(null, "", SealedKey.NONE, Optional.empty());

  /** Of the one item of an object that has no parts. */
  static final String OBJECT_SALT = "";

  private static final int SCRATCH_BYTES = 64 * 1024;

  private final DataCipher cipher;
  private final String salt;
  private final SealedKey sealedKey;
  private final Optional<CustomerKey> customerKey;
  private ByteBuffer scratch;

  private SinkCipher(
      DataCipher cipher, String salt, SealedKey sealedKey, Optional<CustomerKey> customerKey) {
    this.cipher = cipher;
    this.salt = salt;
    this.sealedKey = sealedKey;
    this.customerKey = customerKey;
  }

  /**
   * A cipher for one item.
   *
   * @param sealedKey the key as it is kept
   * @param customerKey with which it is sealed, if it is with a customer's
   */
  static SinkCipher of(
      ObjectKey key, String salt, SealedKey sealedKey, Optional<CustomerKey> customerKey) {
    boolean isCustomers = sealedKey.kind() == SealedKey.Kind.CUSTOMER;
    return new SinkCipher(
        key.cipher(salt), salt, sealedKey, isCustomers ? customerKey : Optional.empty());
  }

  interface Keeper {
    /** Takes all bytes of the buffer, which is the caller's again afterwards. */
    void keep(ByteBuffer bytes) throws IOException;
  }

  /** Hands all remaining bytes on, encrypted. */
  void encrypt(long position, ByteBuffer bytes, Keeper keeper) throws IOException {
    if (scratch == null) {
      scratch = ByteBuffer.allocate(SCRATCH_BYTES);
    }
    long at = position;
    while (bytes.hasRemaining()) {
      int count = Math.min(bytes.remaining(), SCRATCH_BYTES);
      cipher.apply(at, bytes.slice(bytes.position(), count), scratch.clear());
      bytes.position(bytes.position() + count);
      at += count;
      keeper.keep(scratch.flip());
    }
  }

  /** Of bytes with this MD5: the MD5 itself, unless a customer's key hides it. */
  String etag(byte[] md5) {
    return customerKey.map(key -> key.etag(md5)).orElseGet(() -> HexFormat.of().formatHex(md5));
  }

  String salt() {
    return salt;
  }

  SealedKey sealedKey() {
    return sealedKey;
  }
}
