package io.s3rdma.server.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads certificates and keys from PEM files; every refusal says which file and what to do. */
final class PemFiles {
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

  private PemFiles() {}

  /** The chain in the file's order; at least one. */
  static X509Certificate[] certificates(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      X509Certificate[] chain =
          CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
              .map(X509Certificate.class::cast)
              .toArray(X509Certificate[]::new);
      if (chain.length == 0) {
        throw new IOException("certificate file " + file + " holds no certificate");
      }
      return chain;
    } catch (GeneralSecurityException e) {
      throw new IOException("certificate file " + file + " is not PEM: " + e.getMessage(), e);
    }
  }

  /** Refuses a key that is not the certificate's; nothing of the file comes into a message. */
  static PrivateKey privateKey(Path file, X509Certificate certificate) throws IOException {
    Matcher pem = KEY.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
    if (!pem.find()) {
      throw new IOException(
          "key file "
              + file
              + " holds no 'BEGIN PRIVATE KEY' (PKCS #8, not encrypted);"
              + " convert it with: openssl pkcs8 -topk8 -nocrypt");
    }
    PublicKey publicKey = certificate.getPublicKey();
    try {
      byte[] der = Base64.getMimeDecoder().decode(pem.group(1));
      PrivateKey key =
          KeyFactory.getInstance(publicKey.getAlgorithm())
              .generatePrivate(new PKCS8EncodedKeySpec(der));
      if (!belongTogether(key, publicKey)) {
        throw new IOException("key file " + file + " holds another key than the certificate's");
      }
      return key;
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new IOException(
          "key file " + file + " holds no usable " + publicKey.getAlgorithm() + " key", e);
    }
  }

  private static boolean belongTogether(PrivateKey key, PublicKey publicKey)
      throws GeneralSecurityException {
    String algorithm =
        switch (publicKey.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> publicKey.getAlgorithm();
        };
    byte[] probe = {1, 2, 3};
    Signature signature = Signature.getInstance(algorithm);
    signature.initSign(key);
    signature.update(probe);
    byte[] signed = signature.sign();
    signature.initVerify(publicKey);
    signature.update(probe);
    return signature.verify(signed);
  }
}
