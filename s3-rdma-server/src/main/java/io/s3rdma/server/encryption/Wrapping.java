package io.s3rdma.server.encryption;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * How keys are derived and keys encrypt keys.
 *
 * <p>A sealed key is 16 random octets and what AES-256-GCM makes of the key with a key of its own,
 * derived from the sealing one by these octets: so no nonce is ever used twice, however many keys
 * one master key seals.
 */
final class Wrapping {
  static final int KEY_BYTES = 32;
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final String HMAC = "HmacSHA256";
  private static final int SALT_BYTES = 16;
  private static final int TAG_BITS = 128;
  // The key is used once.
  private static final GCMParameterSpec FIRST_NONCE = new GCMParameterSpec(TAG_BITS, new byte[12]);

  private Wrapping() {}

  static byte[] random(int bytes) {
    byte[] octets = new byte[bytes];
    RANDOM.nextBytes(octets);
    return octets;
  }

  /** A key that tells nothing of the one it is derived from; the purpose keeps uses apart. */
  static byte[] derive(byte[] key, String purpose, byte[] salt) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(key, HMAC));
      mac.update(purpose.getBytes(StandardCharsets.US_ASCII));
      mac.update((byte) 0);
      return mac.doFinal(salt);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no " + HMAC, e);
    }
  }

  /** {@code context} is not secret and must be the same for opening. */
  static String seal(byte[] sealing, byte[] key, String context) {
    byte[] salt = random(SALT_BYTES);
    try {
      byte[] sealed = cipher(Cipher.ENCRYPT_MODE, sealing, salt, context).doFinal(key);
      byte[] all = ByteBuffer.allocate(salt.length + sealed.length).put(salt).put(sealed).array();
      return Base64.getEncoder().encodeToString(all);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK cannot seal with AES-256-GCM", e);
    }
  }

  /** Empty if it was sealed with another key, or is damaged. */
  static Optional<byte[]> open(byte[] sealing, String sealed, String context) {
    byte[] all = decoded(sealed);
    if (all.length != SALT_BYTES + KEY_BYTES + TAG_BITS / Byte.SIZE) {
      return Optional.empty();
    }
    byte[] salt = Arrays.copyOf(all, SALT_BYTES);
    try {
      return Optional.of(
          cipher(Cipher.DECRYPT_MODE, sealing, salt, context)
              .doFinal(all, SALT_BYTES, all.length - SALT_BYTES));
    } catch (AEADBadTagException _) {
      return Optional.empty(); // GCM's way to say so
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK cannot open with AES-256-GCM", e);
    }
  }

  private static byte[] decoded(String sealed) {
    try {
      return Base64.getDecoder().decode(sealed);
    } catch (IllegalArgumentException _) {
      return new byte[0]; // damaged
    }
  }

  private static Cipher cipher(int mode, byte[] sealing, byte[] salt, String context)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    byte[] once = derive(sealing, "s3rdma seal 1", salt);
    cipher.init(mode, new SecretKeySpec(once, "AES"), FIRST_NONCE);
    cipher.updateAAD(context.getBytes(StandardCharsets.US_ASCII));
    return cipher;
  }
}
