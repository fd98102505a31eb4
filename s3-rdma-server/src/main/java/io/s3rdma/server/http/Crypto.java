package io.s3rdma.server.http;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The primitives of SigV4. */
final class Crypto {
  static final String EMPTY_SHA256 =
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

  private static final String HMAC = "HmacSHA256";
  private static final String HMAC_SHA1 = "HmacSHA1";

  // Looking a provider up costs more than what is computed with it; each call leaves them reset.
  private static final ThreadLocal<MessageDigest> SHA256 =
      ThreadLocal.withInitial(() -> digest("SHA-256"));
  private static final ThreadLocal<Mac> MAC = ThreadLocal.withInitial(Crypto::mac);

  private Crypto() {}

  static MessageDigest digest(String algorithm) {
    try {
      return MessageDigest.getInstance(algorithm);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no " + algorithm, e);
    }
  }

  /** Of what is there at once. */
  static byte[] sha256(byte[] octets) {
    return SHA256.get().digest(octets);
  }

  private static Mac mac() {
    try {
      return Mac.getInstance(HMAC);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no " + HMAC, e);
    }
  }

  static byte[] hmac(byte[] key, String text) {
    try {
      Mac mac = MAC.get();
      mac.init(new SecretKeySpec(key, HMAC));
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(HMAC + " refuses a key of " + key.length + " octets", e);
    }
  }

  /** Signature Version 2: base64 of HMAC-SHA1 with the secret itself. For forms alone. */
  static String signatureV2(String secret, String text) {
    try {
      Mac mac = Mac.getInstance(HMAC_SHA1);
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), HMAC_SHA1));
      byte[] signature = mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(signature);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no " + HMAC_SHA1, e);
    }
  }

  static byte[] signingKey(String secret, String date, String region, String service) {
    byte[] dateKey = hmac(("AWS4" + secret).getBytes(StandardCharsets.UTF_8), date);
    return hmac(hmac(hmac(dateKey, region), service), "aws4_request");
  }

  static String hex(byte[] octets) {
    return HexFormat.of().formatHex(octets);
  }

  static boolean sameInConstantTime(String left, String right) {
    return MessageDigest.isEqual(
        left.getBytes(StandardCharsets.UTF_8), right.getBytes(StandardCharsets.UTF_8));
  }
}
