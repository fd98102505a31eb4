package io.s3rdma.server.encryption;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Random;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DataCipherTest {
  private static final int BLOCK = 16;
  private static final int BYTES = 50_000; // more than the scratch holds
  private static final byte[] KEY = random(32, 1);
  private static final byte[] PLAIN = random(BYTES, 2);

  @Test
  void shouldBeAesInCounterModeFromZero() throws GeneralSecurityException {
    assertThat(applied(0, PLAIN)).isEqualTo(reference(0, PLAIN));
  }

  /** Every place in a block, and on each side of the scratch's end. */
  @Test
  void shouldGiveTheSameWhenItBeginsAnywhere() {
    byte[] whole = applied(0, PLAIN);
    for (int from : new int[] {0, 16 * 1024 - BLOCK - 1, 16 * 1024, 49_000}) {
      for (int offset = 0; offset <= 2 * BLOCK; offset++) {
        for (int length : new int[] {0, 1, 15, 16, 17, 900}) {
          int at = from + offset;
          byte[] piece = Arrays.copyOfRange(PLAIN, at, at + length);
          assertThat(applied(at, piece))
              .as("%d bytes at %d", length, at)
              .isEqualTo(Arrays.copyOfRange(whole, at, at + length));
        }
      }
    }
  }

  @Test
  void shouldGoOnWhenPiecesFollowEachOther() {
    byte[] whole = applied(0, PLAIN);
    DataCipher cipher = new DataCipher(KEY);
    ByteBuffer got = ByteBuffer.allocate(BYTES);
    Random random = new Random(3);
    while (got.hasRemaining()) {
      int at = got.position();
      int length = Math.min(random.nextInt(40), got.remaining());
      cipher.apply(at, ByteBuffer.wrap(PLAIN, at, length), got);
    }
    assertThat(got.array()).isEqualTo(whole);
  }

  /** The block's number has more than 32 bits from 64 GiB on. */
  @ParameterizedTest
  @ValueSource(longs = {(1L << 36) - 20, (1L << 36) - 1, 1L << 36, (5L << 40) - 33})
  void shouldCountOnWhenBlocksAreMany(long position) throws GeneralSecurityException {
    byte[] piece = Arrays.copyOf(PLAIN, 100);

    byte[] got = applied(position, piece);

    assertThat(got).isEqualTo(reference(position, piece));
    for (int i = 0; i < piece.length; i++) {
      assertThat(applied(position + i, new byte[] {piece[i]})).containsExactly(got[i]);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldDecryptInPlaceWhenSourceAndTargetAreOne(boolean direct) {
    ByteBuffer memory = direct ? ByteBuffer.allocateDirect(BYTES) : ByteBuffer.allocate(BYTES);
    memory.put(applied(7, PLAIN)).flip();

    new DataCipher(KEY).apply(7, memory.duplicate(), memory.duplicate());

    assertThat(memory).isEqualTo(ByteBuffer.wrap(PLAIN));
  }

  @Test
  void shouldDifferWhenItemsOfAKeyDiffer() {
    ObjectKey key = ObjectKey.random();
    ByteBuffer first = ByteBuffer.allocate(32);
    ByteBuffer second = ByteBuffer.allocate(32);
    key.cipher("a").apply(0, ByteBuffer.allocate(32), first);
    key.cipher("b").apply(0, ByteBuffer.allocate(32), second);

    assertThat(first.array()).isNotEqualTo(second.array());
  }

  private static byte[] applied(long position, byte[] bytes) {
    ByteBuffer target = ByteBuffer.allocate(bytes.length);
    new DataCipher(KEY).apply(position, ByteBuffer.wrap(bytes), target);
    assertThat(target.hasRemaining()).isFalse();
    return target.array();
  }

  /** The JDK's cipher, a block at a time in ECB: the definition of the mode. */
  private static byte[] reference(long position, byte[] bytes) throws GeneralSecurityException {
    Cipher block = Cipher.getInstance("AES/ECB/NoPadding");
    block.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(KEY, "AES"));
    byte[] got = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      long at = position + i;
      byte[] counter = ByteBuffer.allocate(BLOCK).putLong(0).putLong(at / BLOCK).array();
      got[i] = (byte) (bytes[i] ^ block.doFinal(counter)[(int) (at % BLOCK)]);
    }
    return got;
  }

  private static byte[] random(int bytes, int seed) {
    byte[] octets = new byte[bytes];
    new Random(seed).nextBytes(octets);
    return octets;
  }
}
