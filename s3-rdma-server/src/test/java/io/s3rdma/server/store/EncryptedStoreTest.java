package io.s3rdma.server.store;

import static io.s3rdma.server.store.StoreLab.BUCKET;
import static io.s3rdma.server.store.StoreLab.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.server.encryption.CustomerKey;
import io.s3rdma.server.encryption.EncryptionConfig;
import io.s3rdma.server.encryption.Protection;
import io.s3rdma.server.store.EncryptedLab.Way;
import io.s3rdma.server.store.StoreException.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is encrypted in the store, and what is not. */
class EncryptedStoreTest {
  private static final String MARKER = "a marker that must be nowhere on the disk ";

  @TempDir Path directory;
  private EncryptedLab lab;

  @BeforeEach
  void open() throws IOException {
    lab = new EncryptedLab(directory);
  }

  @AfterEach
  void close() throws IOException {
    lab.close();
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void shouldGiveBackWhenReopened(Way way) throws IOException {
    for (int size :
        new int[] {
          0, 1, 15, 16, 17, EncryptedLab.INLINE_BYTES, EncryptedLab.INLINE_BYTES + 1, 300_000
        }) {
      lab.put("known " + size, EncryptedLab.content(size), way, size);
      lab.put("unknown " + size, EncryptedLab.content(size), way, -1);
    }
    lab.multipart("parts", way, 70_001, 1, 0, 65_536, 33);
    lab.reopen(EncryptionConfig.DEFAULT);

    for (int size :
        new int[] {
          0, 1, 15, 16, 17, EncryptedLab.INLINE_BYTES, EncryptedLab.INLINE_BYTES + 1, 300_000
        }) {
      assertThat(lab.read("known " + size, way)).isEqualTo(EncryptedLab.content(size));
      assertThat(lab.read("unknown " + size, way)).isEqualTo(EncryptedLab.content(size));
    }
    assertThat(lab.read("parts", way)).isEqualTo(EncryptedLab.contents(70_001, 1, 0, 65_536, 33));
    assertThat(lab.store().recovered().isClean()).isTrue();
  }

  /** From and to every place about the seams of parts, by reads and by extents. */
  @ParameterizedTest
  @EnumSource(Way.class)
  void shouldGiveAnyRangeWhenPartsAreUnaligned(Way way) throws IOException {
    lab.multipart("parts", way, 1001, 17, 1, 600_000);
    byte[] whole = EncryptedLab.contents(1001, 17, 1, 600_000);
    try (StoredObject object = lab.opened("parts", way)) {
      for (int from = 990; from < 1030; from++) {
        for (int length : new int[] {1, 2, 16, 31, 300_000}) {
          byte[] wanted = Arrays.copyOfRange(whole, from, from + length);
          ByteBuffer direct = ByteBuffer.allocateDirect(length + 3).position(3);
          assertThat(object.read(from, direct)).isEqualTo(length);
          assertThat(direct.flip().position(3)).isEqualTo(ByteBuffer.wrap(wanted));
          assertThat(EncryptedLab.extents(object, from, length)).isEqualTo(wanted);
        }
      }
      assertThat(object.read(whole.length, ByteBuffer.allocate(1))).isEqualTo(-1);
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void shouldHaveNoPlainByteOnTheDiskWhenEncrypted(Way way) throws IOException {
    byte[] marked = MARKER.repeat(10).getBytes(StandardCharsets.US_ASCII);
    byte[] large = MARKER.repeat(100).getBytes(StandardCharsets.US_ASCII);
    lab.put("inline", marked, way, marked.length);
    lab.put("spilled", large, way, -1);
    lab.put("file", large, way, large.length);
    UploadMeta upload = lab.upload("parts", way);
    lab.part(upload, 1, marked, way.key());
    try (ObjectWriter writer =
        lab.store().create(NewObject.of(BUCKET, "open"), -1, EtagKind.MD5, way.protection())) {
      writer.write(ByteBuffer.wrap(large));
      lab.store().close(); // writes all that is in memory

      assertThat(lab.filesWith(MARKER).isEmpty()).isEqualTo(way != Way.PLAIN);
    }
  }

  /** Sendfile, and the rows of before, so that nothing of it costs anything. */
  @Test
  void shouldStayAFileWhenNotEncrypted() throws IOException {
    lab.put("file", EncryptedLab.content(5000), Way.PLAIN, 5000);
    lab.put("sealed", EncryptedLab.content(5000), Way.SERVER, 5000);
    try (StoredObject plain = lab.opened("file", Way.PLAIN);
        StoredObject sealed = lab.opened("sealed", Way.SERVER)) {
      assertThat(plain.extent(7, 4000))
          .isInstanceOfSatisfying(
              Extent.InFile.class,
              file -> {
                assertThat(file.offset()).isEqualTo(7);
                assertThat(file.length()).isEqualTo(4000);
              });
      assertThat(sealed.extent(7, 4000)).isInstanceOf(Extent.InMemory.class);
      assertThat(MetaCodec.encode(plain.meta())[0]).isEqualTo((byte) 2);
      assertThat(MetaCodec.encode(sealed.meta())[0]).isEqualTo((byte) 3);
    }
  }

  @Test
  void shouldRefuseWhenTheCustomersKeyIsMissingOrAnother() throws IOException {
    lab.put("k", EncryptedLab.content(2000), Way.CUSTOMER, 2000);
    try (StoredObject object = lab.store().open(BUCKET, "k")) {
      ByteBuffer target = ByteBuffer.allocate(2000);
      assertThatThrownBy(() -> object.read(0, target)).satisfies(reason(Reason.OTHER_KEY));
      assertThatThrownBy(() -> object.extent(0, 9)).satisfies(reason(Reason.OTHER_KEY));
      assertThatThrownBy(() -> object.unlock(EncryptedLab.OTHER))
          .satisfies(reason(Reason.OTHER_KEY));
      assertThatThrownBy(() -> object.read(0, target)).satisfies(reason(Reason.OTHER_KEY));
      assertThat(target.position()).isZero();
    }
    UploadMeta upload = lab.upload("parts", Way.CUSTOMER);
    for (Optional<CustomerKey> wrong :
        List.of(Optional.of(EncryptedLab.OTHER), Optional.<CustomerKey>empty())) {
      assertThatThrownBy(() -> lab.part(upload, 1, EncryptedLab.content(9), wrong))
          .satisfies(reason(Reason.OTHER_KEY));
    }
  }

  @Test
  void shouldHideTheMd5WhenTheKeyIsACustomers() throws IOException {
    String plain = lab.put("a", EncryptedLab.content(2000), Way.PLAIN, 2000).etag();
    assertThat(lab.put("b", EncryptedLab.content(2000), Way.SERVER, 2000).etag()).isEqualTo(plain);
    String hidden = lab.put("c", EncryptedLab.content(2000), Way.CUSTOMER, 2000).etag();
    assertThat(hidden).hasSize(32).isNotEqualTo(plain);
    assertThat(lab.put("d", EncryptedLab.content(2000), Way.CUSTOMER, 2000).etag())
        .isEqualTo(hidden);
  }

  @ParameterizedTest
  @EnumSource(
      value = Way.class,
      names = {"SERVER", "CUSTOMER"})
  void shouldShareBytesWhenACopyHasTheSameKey(Way way) throws IOException {
    lab.put("inline", EncryptedLab.content(10), way, 10);
    lab.put("file", EncryptedLab.content(5000), way, 5000);
    lab.multipart("parts", way, 3000, 17);
    for (String key : List.of("inline", "file", "parts")) {
      try (StoredObject source = lab.opened(key, way)) {
        ObjectMeta copy = lab.copy(source, key + " copy", way.protection());
        assertThat(copy.etag()).isEqualTo(source.meta().etag());
        assertThat(copy.sealedKey()).isNotEqualTo(source.meta().sealedKey());
        for (Way other : Way.values()) {
          assertThat(source.suits(other.protection())).isEqualTo(other == way);
        }
        assertThat(source.suits(new Protection.Customer(EncryptedLab.OTHER))).isFalse();
        assertThatThrownBy(() -> lab.copy(source, "none", Protection.NONE))
            .isInstanceOf(IllegalArgumentException.class);
      }
      lab.store().delete(ObjectRef.current(BUCKET, key));
    }
    assertThat(lab.read("inline copy", way)).isEqualTo(EncryptedLab.content(10));
    assertThat(lab.read("file copy", way)).isEqualTo(EncryptedLab.content(5000));
    assertThat(lab.read("parts copy", way)).isEqualTo(EncryptedLab.contents(3000, 17));
  }
}
