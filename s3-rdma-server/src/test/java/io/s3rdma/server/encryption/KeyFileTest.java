package io.s3rdma.server.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyFileTest {
  private static final byte[] FIRST =
      "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] SECOND =
      "fedcba9876543210fedcba9876543210".getBytes(StandardCharsets.US_ASCII);

  @TempDir Path directory;
  private Path path;
  private KeyFile file;

  @BeforeEach
  void name() {
    path = directory.resolve("keys");
    file = new KeyFile(path);
  }

  @Test
  void shouldTakeTheFirstForNewObjectsWhenThereAreMany() throws IOException {
    write(
        "# rotated in May\n\n"
            + HexFormat.of().formatHex(SECOND)
            + "\n  "
            + Base64.getEncoder().encodeToString(FIRST)
            + "  \n",
        "rw-------");
    MasterKeys both = file.read();
    write(Base64.getEncoder().encodeToString(FIRST), "r--------");
    MasterKeys first = file.read();

    assertThat(both.ids()).hasSize(2).contains(first.currentId());
    assertThat(both.currentId()).isNotEqualTo(first.currentId());
    ObjectKey key = ObjectKey.random();
    assertThat(both.open(first.seal(key)).orElseThrow().octets()).isEqualTo(key.octets());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\n# none\n",
        "c2VjcmV0",
        "secret!",
        "c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0"
      })
  void shouldRefuseAndNotQuoteWhenItHoldsNoKey(String content) throws IOException {
    write(content, "rw-------");

    assertThatThrownBy(file::read)
        .isInstanceOf(IOException.class)
        .hasMessageContaining(path.toString())
        .hasMessageContaining("openssl rand -base64 32")
        .hasMessageNotContainingAny("c2Vj", "secret")
        .hasNoCause();
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----"})
  void shouldRefuseWhenOthersMayOpenIt(String mode) throws IOException {
    write(Base64.getEncoder().encodeToString(FIRST), mode);

    assertThatThrownBy(file::read).hasMessageContaining(mode).hasMessageContaining("chmod 600");
  }

  @Test
  void shouldSayWhatToDoWhenItIsMissing() {
    assertThatThrownBy(file::read).hasMessageContaining("cannot be read; openssl rand");
  }

  @Test
  void shouldHoldOneKeyForItsOwnerWhenMade() throws IOException {
    MasterKeys made = file.make();

    assertThat(file.read().currentId()).isEqualTo(made.currentId());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
        .isEqualTo("rw-------");
    assertThat(directory.toFile().list()).containsExactly("keys");
  }

  private void write(String content, String mode) throws IOException {
    Files.deleteIfExists(path);
    Files.writeString(path, content);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }
}
