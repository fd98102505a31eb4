package io.s3rdma.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigLoaderTest {
  private static final Map<String, Object> KEYS =
      Map.of("auth.credentials", Map.of("id", "secret"));

  @TempDir Path directory;

  @Test
  void shouldConcludeDefaultsWhenOnlyCredentialsAreGiven() {
    ServerConfig config = ConfigLoader.conclude(loader(Map.of(), Map.of()).load(null, KEYS));

    assertThat(config.http().port()).isEqualTo(9000);
    assertThat(config.rdma().enabled()).isEqualTo(RdmaConfig.Enabled.AUTO);
    assertThat(config.rdma().clientSubnets()).isEmpty();
    assertThat(config.auth().secretsByAccessKey()).containsEntry("id", "secret");
  }

  @Test
  void shouldFollowPrecedenceWhenSeveralPlacesSayIt() throws IOException {
    Path file =
        file("s3rdma { http { port = 1, idle-timeout-seconds = 1, host = a }, rdma.port = 3 }");
    Map<String, String> environment =
        Map.of("S3RDMA_HTTP_PORT", "2", "S3RDMA_HTTP_IDLE_TIMEOUT_SECONDS", "2");
    ConfigLoader loader = loader(Map.of("s3rdma.http.port", "3"), environment);

    Config properties = loader.load(file, Map.of());
    Config commandLine = loader.load(file, Map.of("http.port", 4));

    assertThat(properties.getInt("http.port")).isEqualTo(3);
    assertThat(properties.getInt("http.idle-timeout-seconds")).isEqualTo(2);
    assertThat(properties.getString("http.host")).isEqualTo("a");
    assertThat(commandLine.getInt("http.port")).isEqualTo(4);
    assertThat(commandLine.getInt("rdma.port")).isEqualTo(3);
  }

  @Test
  void shouldRefuseWhenKeyIsUnknown() throws IOException {
    Path file = file("s3rdma.http.prot = 1");

    assertThatThrownBy(() -> loader(Map.of(), Map.of()).load(file, Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("http.prot");
    assertThatThrownBy(() -> loader(Map.of("s3rdma.x", "1"), Map.of()).load(null, Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("'x'");
  }

  @Test
  void shouldRefuseWhenFileHasNoSection() throws IOException {
    Path file = file("http.port = 1");

    assertThatThrownBy(() -> loader(Map.of(), Map.of()).load(file, Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("section s3rdma");
  }

  @Test
  void shouldRefuseWhenFileIsMissing() {
    Path none = directory.resolve("none.conf");

    assertThatThrownBy(() -> loader(Map.of(), Map.of()).load(none, Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("none.conf");
  }

  @Test
  void shouldRefuseWhenValueIsOfNoUse() {
    assertUseless(Map.of("S3RDMA_HTTP_PORT", "many"), "http.port");
    assertUseless(Map.of("S3RDMA_RDMA_CHUNK_BYTES", "1"), "chunk-bytes");
    assertUseless(Map.of("S3RDMA_STORE_DURABILITY", "maybe"), "durability");
  }

  @Test
  void shouldRefuseWhenThereAreNoCredentials() {
    assertThatThrownBy(() -> ConfigLoader.conclude(loader(Map.of(), Map.of()).load(null, Map.of())))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("S3RDMA_ACCESS_KEY");
  }

  @Test
  void shouldTakeCredentialsWhenInEnvironment() {
    ConfigLoader loader =
        loader(Map.of(), Map.of("S3RDMA_ACCESS_KEY", "a.b", "S3RDMA_SECRET_KEY", "s"));

    ServerConfig config = ConfigLoader.conclude(loader.load(null, Map.of()));

    assertThat(config.auth().secretsByAccessKey()).containsEntry("a.b", "s");
  }

  @Test
  void shouldReadSwitchAndListWhenTheyAreText() {
    ConfigLoader loader =
        loader(
            Map.of("s3rdma.rdma.client-subnets", "10.0.0.0/8, 192.168.0.0/16"),
            Map.of("S3RDMA_RDMA_ENABLED", "off"));

    RdmaConfig rdma = ConfigLoader.conclude(loader.load(null, KEYS)).rdma();

    assertThat(rdma.enabled()).isEqualTo(RdmaConfig.Enabled.OFF);
    assertThat(rdma.clientSubnets()).isEqualTo(List.of("10.0.0.0/8", "192.168.0.0/16"));
  }

  @Test
  void shouldReadSwitchWhenFileHasItBare() throws IOException {
    Path file = file("s3rdma.rdma.enabled = on");

    ServerConfig config = ConfigLoader.conclude(loader(Map.of(), Map.of()).load(file, KEYS));

    assertThat(config.rdma().enabled()).isEqualTo(RdmaConfig.Enabled.ON);
  }

  @Test
  void shouldHideSecretsWhenShown() {
    Config config =
        loader(Map.of(), Map.of())
            .load(null, Map.of("auth.credentials", Map.of("dotted.id", "geheim")));

    assertThat(ConfigLoader.render(config)).contains("dotted.id").doesNotContain("geheim");
    assertThat(ConfigLoader.conclude(config).toString()).doesNotContain("geheim");
  }

  private static void assertUseless(Map<String, String> environment, String named) {
    ConfigLoader loader = loader(Map.of(), environment);
    assertThatThrownBy(() -> ConfigLoader.conclude(loader.load(null, KEYS)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(named);
  }

  private static ConfigLoader loader(
      Map<String, String> properties, Map<String, String> environment) {
    Properties all = new Properties();
    all.putAll(properties);
    return new ConfigLoader(all, environment);
  }

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("server.conf"), text);
  }
}
