package io.s3rdma.server.encryption;

import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;

/** One master key of the server. Its id tells nothing of it. Immutable. */
final class MasterKey {
  private static final int ID_BYTES = 8;
  private static final int HEX_DIGITS = 2 * Wrapping.KEY_BYTES;

  private final byte[] octets;
  private final String id;

  private MasterKey(byte[] octets) {
    this.octets = octets;
    byte[] derived = Wrapping.derive(octets, "s3rdma key id 1", new byte[0]);
    this.id = HexFormat.of().formatHex(Arrays.copyOf(derived, ID_BYTES));
  }

  static MasterKey random() {
    return new MasterKey(Wrapping.random(Wrapping.KEY_BYTES));
  }

  /** 64 digits of hex, or base64 of 32 octets; empty for anything else. */
  static Optional<MasterKey> parse(String text) {
    try {
      byte[] octets =
          text.length() == HEX_DIGITS
              ? HexFormat.of().parseHex(text)
              : Base64.getDecoder().decode(text);
      return octets.length == Wrapping.KEY_BYTES
          ? Optional.of(new MasterKey(octets))
          : Optional.empty();
    } catch (IllegalArgumentException _) {
      return Optional.empty(); // nothing of the text may get into a message
    }
  }

  /** As {@link #parse} reads it: the key itself. */
  String text() {
    return Base64.getEncoder().encodeToString(octets);
  }

  String id() {
    return id;
  }

  SealedKey seal(ObjectKey key) {
    String sealed = Wrapping.seal(octets, key.octets(), context());
    return new SealedKey(SealedKey.Kind.SERVER, id, sealed);
  }

  Optional<ObjectKey> open(SealedKey sealed) {
    return Wrapping.open(octets, sealed.sealed(), context()).map(ObjectKey::new);
  }

  private String context() {
    return "server " + id;
  }

  @Override
  public String toString() {
    return "MasterKey[" + id + "]";
  }
}
