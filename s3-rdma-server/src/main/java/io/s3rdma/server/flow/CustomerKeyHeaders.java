package io.s3rdma.server.flow;

import io.s3rdma.server.encryption.CustomerKey;
import io.s3rdma.server.http.Headers;
import io.s3rdma.server.http.HttpNames;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Optional;

/**
 * The three headers that bring a customer's key: all of them or none. No refusal says what stood in
 * them.
 *
 * @param prefix whether the key is of the request's own object or of a copy's source
 */
record CustomerKeyHeaders(String prefix) {
  static final CustomerKeyHeaders OWN = new CustomerKeyHeaders(HttpNames.AMZ_SSE);
  static final CustomerKeyHeaders SOURCE = new CustomerKeyHeaders(HttpNames.AMZ_COPY_SOURCE_SSE);

  String algorithm() {
    return prefix + HttpNames.SSE_C_ALGORITHM;
  }

  String key() {
    return prefix + HttpNames.SSE_C_KEY;
  }

  String md5() {
    return prefix + HttpNames.SSE_C_KEY_MD5;
  }

  boolean areIn(Headers headers) {
    return headers.contains(algorithm()) || headers.contains(key()) || headers.contains(md5());
  }

  /** Refuses what is incomplete or does not fit together. */
  Optional<CustomerKey> parse(Headers headers) {
    if (!areIn(headers)) {
      return Optional.empty();
    }
    String algorithm = required(headers, algorithm(), "AES256");
    if (!algorithm.equals(Encryption.AES256)) {
      throw new S3Exception(S3ErrorCode.INVALID_ENCRYPTION_ALGORITHM)
          .withDetail("ArgumentName", algorithm());
    }
    byte[] key = decoded(required(headers, key(), "base64 of the key"));
    if (key.length != CustomerKey.BYTES) {
      throw Encryption.invalidArgument(key(), "is not base64 of " + CustomerKey.BYTES + " octets");
    }
    byte[] md5 = decoded(required(headers, md5(), "base64 of the key's MD5"));
    if (!MessageDigest.isEqual(md5, digest(key))) {
      throw Encryption.invalidArgument(md5(), "is not the MD5 of the key");
    }
    return Optional.of(CustomerKey.of(key));
  }

  private static String required(Headers headers, String name, String what) {
    return headers
        .first(name)
        .map(String::trim)
        .orElseThrow(() -> Encryption.invalidArgument(name, "is missing: " + what));
  }

  private static byte[] decoded(String value) {
    try {
      return Base64.getDecoder().decode(value);
    } catch (IllegalArgumentException _) {
      return new byte[0]; // its message would quote the key
    }
  }

  private static byte[] digest(byte[] key) {
    try {
      return MessageDigest.getInstance("MD5").digest(key);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JDK has no MD5", e);
    }
  }
}
