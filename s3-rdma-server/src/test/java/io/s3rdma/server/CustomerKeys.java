package io.s3rdma.server;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Random;

/** Keys as clients send them, each with what stands in its headers. */
record CustomerKeys(String key, String md5) {
  static final CustomerKeys A = of(1);
  static final CustomerKeys B = of(2);

  private static CustomerKeys of(int seed) {
    byte[] octets = new byte[32];
    new Random(seed).nextBytes(octets);
    try {
      byte[] md5 = MessageDigest.getInstance("MD5").digest(octets);
      return new CustomerKeys(base64(octets), base64(md5));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String base64(byte[] octets) {
    return Base64.getEncoder().encodeToString(octets);
  }

  String[] headers() {
    return headers("x-amz-server-side-encryption");
  }

  String[] sourceHeaders() {
    return headers("x-amz-copy-source-server-side-encryption");
  }

  private String[] headers(String prefix) {
    return new String[] {
      prefix + "-customer-algorithm",
      "AES256",
      prefix + "-customer-key",
      key,
      prefix + "-customer-key-MD5",
      md5
    };
  }
}
