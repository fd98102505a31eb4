package io.s3rdma.server.store;

import static io.s3rdma.server.store.StoreLab.BUCKET;
import static io.s3rdma.server.store.StoreLab.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.server.encryption.EncryptionConfig;
import io.s3rdma.server.encryption.Protection;
import io.s3rdma.server.store.EncryptedLab.Way;
import io.s3rdma.server.store.StoreException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which master keys a store needs, and what becomes of it without them. */
class MasterKeyTest {
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

  @Test
  void shouldScrubWithoutAnyKeyWhenEncrypted() throws IOException {
    lab.put("mine", EncryptedLab.content(5000), Way.SERVER, 5000);
    lab.put("theirs", EncryptedLab.content(6000), Way.CUSTOMER, 6000);
    lab.multipart("parts", Way.CUSTOMER, 3000, 17);
    Files.delete(directory.resolve("encryption.key"));
    lab.reopen(new EncryptionConfig(Optional.empty(), true, false));

    lab.store().scrub();

    assertThat(lab.store().scrubState().files()).isEqualTo(4);
    assertThat(lab.store().scrubState().rotten()).isZero();
  }

  @Test
  void shouldRefuseToStartWhenAMasterKeyIsLost() throws IOException {
    lab.put("mine", EncryptedLab.content(5000), Way.SERVER, 5000);
    lab.put("theirs", EncryptedLab.content(6000), Way.CUSTOMER, 6000);
    lab.put("plain", EncryptedLab.content(7), Way.PLAIN, 7);
    Path key = directory.resolve("encryption.key");
    Path away = directory.resolve("away");
    Files.move(key, away);
    lab.store().close();
    List<Path> before = lab.files();
    assertThatThrownBy(() -> new LocalStore(lab.config()))
        .hasMessageContaining(directory.toString())
        .hasMessageContaining("encryption.key-file")
        .hasMessageContaining("Nothing was changed");
    assertThat(lab.files()).isEqualTo(before);

    lab.reopen(new EncryptionConfig(Optional.empty(), true, false));
    assertThatThrownBy(() -> lab.store().open(BUCKET, "mine"))
        .satisfies(reason(Reason.NO_MASTER_KEY));
    assertThat(lab.read("theirs", Way.CUSTOMER)).isEqualTo(EncryptedLab.content(6000));
    assertThat(lab.read("plain", Way.PLAIN)).isEqualTo(EncryptedLab.content(7));
    lab.put("new", EncryptedLab.content(8), Way.SERVER, 8);

    // The lost key comes back, behind the one that was made meanwhile.
    Files.writeString(key, Files.readString(key) + Files.readString(away));
    lab.reopen(EncryptionConfig.DEFAULT);
    assertThat(lab.read("mine", Way.SERVER)).isEqualTo(EncryptedLab.content(5000));
    assertThat(lab.read("new", Way.SERVER)).isEqualTo(EncryptedLab.content(8));
  }

  @Test
  void shouldSealAnewWhenCopiedAfterAChangeOfKeys() throws IOException {
    ObjectMeta old = lab.put("k", EncryptedLab.content(5000), Way.SERVER, 5000);
    Path key = directory.resolve("encryption.key");
    Path rotated = directory.resolve("rotated");
    Files.copy(key, rotated, StandardCopyOption.COPY_ATTRIBUTES);
    Files.writeString(rotated, "ab".repeat(32) + "\n" + Files.readString(key));
    lab.reopen(new EncryptionConfig(Optional.of(rotated), false, false));

    ObjectMeta copy;
    try (StoredObject source = lab.store().open(BUCKET, "k")) {
      copy = lab.copy(source, "copy", Protection.SERVER);
    }
    assertThat(copy.sealedKey().masterKeyId()).isNotEqualTo(old.sealedKey().masterKeyId());
    assertThat(lab.read("copy", Way.SERVER)).isEqualTo(EncryptedLab.content(5000));
    assertThat(lab.read("k", Way.SERVER)).isEqualTo(EncryptedLab.content(5000));
  }

  @Test
  void shouldHaveAnotherFormatWhenAnythingIsEncrypted() throws IOException {
    Path format = directory.resolve("FORMAT");
    lab.put("plain", EncryptedLab.content(5000), Way.PLAIN, 5000);
    assertThat(Files.readString(format)).isEqualTo("2\n");
    assertThat(directory.resolve("encryption.key")).doesNotExist();
    lab.put("theirs", EncryptedLab.content(9), Way.CUSTOMER, 9);
    assertThat(Files.readString(format)).isEqualTo("3\n");
    assertThat(directory.resolve("encryption.key")).doesNotExist();
    lab.put("mine", EncryptedLab.content(9), Way.SERVER, 9);
    assertThat(directory.resolve("encryption.key")).exists();

    lab.reopen(EncryptionConfig.DEFAULT);
    assertThat(lab.read("plain", Way.PLAIN)).isEqualTo(EncryptedLab.content(5000));
  }
}
