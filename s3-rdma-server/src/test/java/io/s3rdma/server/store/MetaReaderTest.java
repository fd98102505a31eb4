package io.s3rdma.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.server.encryption.SealedKey;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MetaReaderTest {
  private static final ObjectMeta META =
      new ObjectMeta(
          "bucket",
          "k\u00fc\u0000y",
          ObjectMeta.NULL_VERSION,
          Long.MAX_VALUE,
          ObjectMeta.Layout.PARTS,
          "0123456789abcdef0123456789abcdef",
          1L << 40,
          3,
          "etag-3",
          Instant.ofEpochMilli(1_700_000_000_123L),
          Map.of("content-type", "text/plain", "x-amz-meta-\u00fc", ""),
          Map.of("x-amz-checksum-crc32c", "AAAAAA=="),
          ChecksumType.COMPOSITE,
          Map.of(),
          "private",
          new SealedKey(SealedKey.Kind.SERVER, "0123456789abcdef", "c2VhbGVk"));

  @Test
  void shouldReadWhatWasWritten() throws Exception {
    byte[] octets = MetaCodec.encode(META);

    assertThat(MetaCodec.decode(META.bucket(), META.key(), octets)).isEqualTo(META);
  }

  @Test
  void shouldRefuseEveryRowThatIsCut() {
    byte[] octets = MetaCodec.encode(META);
    for (int length = 0; length < octets.length; length++) {
      byte[] cut = Arrays.copyOf(octets, length);
      assertThatThrownBy(() -> MetaCodec.decode(META.bucket(), META.key(), cut))
          .isInstanceOfSatisfying(
              StoreException.class,
              e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.DAMAGED));
    }
  }

  @Test
  void shouldNeverFailInAnotherWayWhenAnOctetIsWrong() {
    byte[] octets = MetaCodec.encode(META);
    for (int at = 0; at < octets.length; at++) {
      for (int wrong : new int[] {0, 0x7f, 0x80, 0xff}) {
        byte[] damaged = octets.clone();
        damaged[at] = (byte) wrong;
        try {
          assertThat(MetaCodec.decode(META.bucket(), META.key(), damaged)).isNotNull();
        } catch (StoreException e) {
          assertThat(e.reason()).isEqualTo(StoreException.Reason.DAMAGED);
        }
      }
    }
  }
}
