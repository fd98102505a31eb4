package io.s3rdma.server.http;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.zip.Checksum;

/** One running sum, whatever its kind. */
public interface Hasher {
  /** Consumes {@code bytes}. */
  void update(ByteBuffer bytes);

  /** The sum in network order; the last call. */
  byte[] finish();

  static Hasher of(MessageDigest digest) {
    return new Hasher() {
      @Override
      public void update(ByteBuffer bytes) {
        digest.update(bytes);
      }

      @Override
      public byte[] finish() {
        return digest.digest();
      }
    };
  }

  static Hasher of(Checksum checksum, int width) {
    return new Hasher() {
      @Override
      public void update(ByteBuffer bytes) {
        checksum.update(bytes);
      }

      @Override
      public byte[] finish() {
        byte[] wide = ByteBuffer.allocate(Long.BYTES).putLong(checksum.getValue()).array();
        return Arrays.copyOfRange(wide, Long.BYTES - width, Long.BYTES);
      }
    };
  }
}
