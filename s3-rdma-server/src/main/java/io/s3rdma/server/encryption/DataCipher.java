package io.s3rdma.server.encryption;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * AES-256 in counter mode over one data item: as long as its bytes, from any position, and the same
 * both ways. The counter begins at 0, since the key is the item's own. It keeps secrets and does
 * not tell who changed bytes. Not thread-safe.
 */
public final class DataCipher {
  private static final int BLOCK_BYTES = 16;
  private static final int SCRATCH_BYTES = 16 * 1024;

  private final SecretKeySpec key;
  private final Cipher cipher;
  // Two, since the JDK copies what lies in one array.
  private final byte[] from = new byte[SCRATCH_BYTES];
  private final byte[] to = new byte[SCRATCH_BYTES];
  private long next = -1;

  DataCipher(byte[] key) {
    this.key = new SecretKeySpec(key, "AES");
    try {
      this.cipher = Cipher.getInstance("AES/CTR/NoPadding");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no AES in counter mode", e);
    }
  }

  /**
   * Encrypts or decrypts all that remains of the source; goes on cheaply where the last call ended.
   *
   * @param position of the source's first byte in the item
   * @param target with as much room; may be the same memory at the same place
   */
  public void apply(long position, ByteBuffer source, ByteBuffer target) {
    if (position != next) {
      seek(position);
    }
    next = position;
    while (source.hasRemaining()) {
      int count = Math.min(source.remaining(), SCRATCH_BYTES);
      source.get(from, 0, count);
      update(count);
      target.put(to, 0, count);
      next += count;
    }
  }

  private void seek(long position) {
    byte[] counter =
        ByteBuffer.allocate(BLOCK_BYTES).putLong(0).putLong(position / BLOCK_BYTES).array();
    try {
      cipher.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(counter));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK refuses keys of 256 bits", e);
    }
    // What comes out for the block's first bytes is of no use.
    update((int) (position % BLOCK_BYTES));
  }

  private void update(int count) {
    try {
      int done = count == 0 ? 0 : cipher.update(from, 0, count, to, 0);
      if (done != count) {
        throw new IllegalStateException("the cipher gave " + done + " of " + count + " bytes");
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the cipher has no room for " + count + " bytes", e);
    }
  }
}
