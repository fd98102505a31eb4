package io.s3rdma.client.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 in hex. */
final class Sha256 {
  private Sha256() {}

  static String of(ByteBuffer bytes) {
    MessageDigest digest = digest();
    digest.update(bytes);
    return hex(digest);
  }

  static String of(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return of(in);
    }
  }

  static String of(InputStream stream) throws IOException {
    MessageDigest digest = digest();
    try (DigestInputStream in = new DigestInputStream(stream, digest)) {
      in.transferTo(OutputStream.nullOutputStream());
    }
    return hex(digest);
  }

  private static String hex(MessageDigest digest) {
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
