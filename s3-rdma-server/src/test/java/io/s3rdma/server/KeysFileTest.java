package io.s3rdma.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.server.http.AccessKey;
import io.s3rdma.server.http.Account;
import io.s3rdma.server.http.Grant;
import io.s3rdma.server.http.Right;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeysFileTest {
  private static final String SECRET = "geheim";

  @TempDir Path directory;

  @Test
  void shouldReadEverythingWhenItIsHocon() throws IOException {
    Path file =
        file(
            "keys.conf",
            """
            keys = [
              { access-key = "ADMIN", secret-key = "geheim" } // no rights: all of them
              { access-key = "TRAIN", secret-key = "geheim2", account = team-a
                display-name = "Team A"
                rights = [
                  { bucket = "models-*", prefix = "llama/", allow = [read, list] }
                  { bucket = scratch }
                ] }
              { access-key = "NONE", secret-key = "geheim3", account = team-a, rights = [] }
            ]
            """);

    List<AccessKey> keys = KeysFile.read(file);

    assertThat(keys).extracting(AccessKey::id).containsExactly("ADMIN", "TRAIN", "NONE");
    assertThat(keys.get(0).account()).isEqualTo(Account.DEFAULT);
    assertThat(keys.get(0).grants()).containsExactly(Grant.ALL);
    assertThat(keys.get(1).grants())
        .containsExactly(
            new Grant("models-*", "llama/", Set.of(Right.READ, Right.LIST)),
            new Grant("scratch", "", Grant.ALL.rights()));
    assertThat(keys.get(2).account()).isEqualTo(new Account("team-a", "Team A"));
    assertThat(keys.get(2).grants()).isEmpty();
    assertThat(keys.toString()).doesNotContain(SECRET);
  }

  @Test
  void shouldReadTheSameWhenItIsJson() throws IOException {
    Path file =
        file(
            "keys.json",
            """
            {"keys": [{"access-key": "A", "secret-key": "geheim",
              "rights": [{"bucket": "*", "allow": ["read"]}]}]}
            """);

    List<AccessKey> keys = KeysFile.read(file);

    assertThat(keys.get(0).grants()).containsExactly(new Grant("*", "", Set.of(Right.READ)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "keys = [ { access-key = \"geheim | well-formed",
        "keys = [ { access-key = A, secret-key = ${geheim} } ] | well-formed",
        "[ geheim ] | well-formed",
        "geheim = 1 | none of [keys]",
        "keys = geheim | list 'keys",
        "'' | list 'keys",
        "keys = [ geheim ] | line 1: keys[0] must be an object",
        "keys = [ { secret-key = geheim } ] | line 1: keys[0].access-key is missing",
        "keys = [ { access-key = A } ] | line 1: keys[0].secret-key is missing",
        "keys = [ { access-key = A, secret-key = \"\" } ] | keys[0].secret-key must not be empty",
        "keys = [ { access-key = A, secret-key = 123 } ] | keys[0].secret-key must be text",
        "keys = [ { access-key = A, secret-key = [geheim] } ] | keys[0].secret-key must be text",
        "keys = [ { access-key = \"ge heim\", secret-key = s } ] | keys[0].access-key must match",
        "keys = [ { access-key = \"geheim,\", secret-key = s } ] | keys[0].access-key must match",
        "keys = [ { access-key = A, secret-key = s, geheim = 1 } ] | keys[0].? has a field",
        "keys = [ { access-key = A, secret-key = s, account = \"ge heim\" } ] | keys[0].account",
        "keys = [ { access-key = A, secret-key = s, rights = geheim } ] | keys[0].rights must be",
        "keys = [ { access-key = A, secret-key = s, rights = [ {} ] } ] | rights[0].bucket is missing",
        "keys = [ { access-key = A, secret-key = s, rights = [ { bucket = \"a*geheim\" } ] } ]"
            + " | rights[0].bucket must match",
        "keys = [ { access-key = A, secret-key = s, rights = [ { bucket = a, allow = [geheim] } ] } ]"
            + " | rights[0].allow may hold read, write, list and admin",
        "keys = [ { access-key = A, secret-key = s, rights = [ { bucket = a, geheim = b } ] } ]"
            + " | rights[0].? has a field",
        "keys = [ { access-key = A, secret-key = s }, { access-key = A, secret-key = geheim } ]"
            + " | keys[1].access-key is that of keys[0] too",
        "keys = [ { access-key = A, secret-key = s, display-name = x },"
            + " { access-key = B, secret-key = geheim, display-name = y } ]"
            + " | keys[1].display-name differs",
      })
  void shouldSayWhereButNotWhatWhenItIsBroken(String text, String message) throws IOException {
    Path file = file("keys.conf", text);

    assertThatThrownBy(() -> KeysFile.read(file))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("keys file " + file)
        .hasMessageContaining(message)
        .hasMessageNotContaining(SECRET)
        .hasNoCause();
  }

  @Test
  void shouldNameTheLineWhenItIsFarDown() throws IOException {
    Path file = file("keys.conf", "keys = [\n\n  { access-key = A\n    secret-key = [] }\n]\n");

    assertThatThrownBy(() -> KeysFile.read(file))
        .hasMessageContaining("line 4: keys[0].secret-key");
  }

  @Test
  void shouldRefuseWhenFileIsMissing() {
    Path none = directory.resolve("none.conf");

    assertThatThrownBy(() -> KeysFile.read(none))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("none.conf")
        .hasMessageContaining("auth.keys-file");
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }
}
