package io.s3rdma.server.encryption;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/**
 * A customer's key (SSE-C): lives as long as the request that brought it and is kept nowhere.
 * Immutable.
 */
public final class CustomerKey {
  public static final int BYTES = Wrapping.KEY_BYTES;
  private static final String CONTEXT = "customer";
  private static final int ETAG_BYTES = 16;

  private final byte[] octets;

  private CustomerKey(byte[] octets) {
    this.octets = octets;
  }

  /** Copies the {@link #BYTES} octets. */
  public static CustomerKey of(byte[] octets) {
    if (octets.length != BYTES) {
      throw new IllegalArgumentException("a key of " + octets.length + " octets");
    }
    return new CustomerKey(octets.clone());
  }

  public SealedKey seal(ObjectKey key) {
    String sealed = Wrapping.seal(octets, key.octets(), CONTEXT);
    return new SealedKey(SealedKey.Kind.CUSTOMER, "", sealed);
  }

  /** Empty if another key sealed it. */
  public Optional<ObjectKey> open(SealedKey sealed) {
    return sealed.kind() == SealedKey.Kind.CUSTOMER
        ? Wrapping.open(octets, sealed.sealed(), CONTEXT).map(ObjectKey::new)
        : Optional.empty();
  }

  /**
   * An ETag that is the same for the same bytes and key, and from which nobody learns whether an
   * object has certain bytes.
   */
  public String etag(byte[] md5) {
    byte[] derived = Wrapping.derive(octets, "s3rdma etag 1", md5);
    return HexFormat.of().formatHex(Arrays.copyOf(derived, ETAG_BYTES));
  }

  @Override
  public String toString() {
    return "CustomerKey";
  }
}
