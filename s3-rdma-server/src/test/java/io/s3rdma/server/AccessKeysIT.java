package io.s3rdma.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.s3rdma.server.http.Headers;
import io.s3rdma.server.http.RawClient;
import io.s3rdma.server.http.RawClient.Answer;
import io.s3rdma.server.http.RequestSigner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Keys, accounts and rights from a file, through the socket. */
class AccessKeysIT {
  private static final String ADMIN = key("ADMIN", "team-a", "");
  private static final String READER =
      key(
          "READER",
          "team-a",
          "rights = [ { bucket = \"data*\", prefix = \"in/\"," + " allow = [read, list] } ]");
  private static final String WRITER =
      key(
          "WRITER",
          "team-a",
          "rights = [ { bucket = data, prefix = \"out/\"," + " allow = [read, write] } ]");
  private static final String OTHER = key("OTHER", "team-b", "display-name = Other");

  @TempDir Path directory;
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private Logger logger;
  private Level level;
  private Path file;
  private TestServer server;

  @BeforeEach
  void start() throws IOException {
    logger = (Logger) LoggerFactory.getLogger("io.s3rdma");
    level = logger.getLevel();
    logger.setLevel(Level.TRACE);
    logger.setAdditive(false);
    log.list = new CopyOnWriteArrayList<>();
    log.start();
    logger.addAppender(log);
    file = Files.writeString(directory.resolve("keys.conf"), keys(ADMIN, READER, WRITER, OTHER));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    server = TestServer.start(directory.resolve("data"), Map.of("auth.keys-file", file.toString()));
    assertThat(ask("ADMIN", "PUT", "/data").status()).isEqualTo(200);
    assertThat(ask("ADMIN", "PUT", "/database").status()).isEqualTo(200);
    assertThat(ask("ADMIN", "PUT", "/private").status()).isEqualTo(200);
    assertThat(ask("ADMIN", "PUT", "/data/in/a").status()).isEqualTo(200);
    assertThat(ask("ADMIN", "PUT", "/data/out/b").status()).isEqualTo(200);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
    logger.detachAppender(log);
    logger.setLevel(level);
    logger.setAdditive(true);
    assertThat(lines()).noneMatch(line -> line.contains("geheim"));
    assertThat(lines()).noneMatch(line -> line.contains(TestServer.SECRET_KEY));
  }

  @Test
  void shouldHoldToRightsWhenKeysAreRestricted() throws IOException {
    assertThat(ask("READER", "GET", "/data/in/a").status()).isEqualTo(200);
    refused(ask("READER", "GET", "/data/out/b"));
    refused(ask("READER", "PUT", "/data/in/c"));
    refused(ask("READER", "DELETE", "/data/in/a"));
    refused(ask("READER", "GET", "/data"));
    refused(ask("READER", "DELETE", "/data"));
    refused(ask("READER", "PUT", "/data2"));
    assertThat(list("READER", "data", "in%2F").body()).contains("<Key>in/a</Key>");
    refused(list("READER", "data", "out%2F"));
    refused(list("WRITER", "data", "out%2F"));
    assertThat(ask("WRITER", "PUT", "/data/out/c").status()).isEqualTo(200);
    refused(ask("WRITER", "PUT", "/data/in/c"));
  }

  @Test
  void shouldJudgeEachKeyWhenManyAreDeleted() throws IOException {
    String document =
        "<Delete><Object><Key>in/a</Key></Object><Object><Key>out/b</Key></Object></Delete>";
    Answer answer = deleteMany("WRITER", document);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).contains("<Error><Key>in/a</Key><Code>AccessDenied</Code>");
    assertThat(answer.body()).contains("<Deleted><Key>out/b</Key></Deleted>");
    assertThat(ask("ADMIN", "GET", "/data/in/a").status()).isEqualTo(200);
    assertThat(ask("ADMIN", "GET", "/data/out/b").status()).isEqualTo(404);
    refused(deleteMany("READER", document));
  }

  @Test
  void shouldKeepAccountsApartWhenThereAreSeveral() throws IOException {
    for (String target : List.of("/data/in/a", "/data", "/data?acl", "/data?location")) {
      refused(ask("OTHER", "GET", target));
    }
    refused(ask("OTHER", "PUT", "/data/in/x"));
    refused(ask("OTHER", "DELETE", "/data/in/a"));
    refused(ask("OTHER", "DELETE", "/data"));
    Answer taken = ask("OTHER", "PUT", "/data");
    assertThat(taken.status()).isEqualTo(409);
    assertThat(taken.body()).contains("<Code>BucketAlreadyExists</Code>");
    assertThat(ask("OTHER", "PUT", "/others").status()).isEqualTo(200);
    assertThat(ask("OTHER", "PUT", "/others").status()).isEqualTo(200);
    assertThat(ask("ADMIN", "PUT", "/others").status()).isEqualTo(409);
    // Those of the configuration itself are an account too.
    refused(ask(TestServer.ACCESS_KEY, "GET", "/data/in/a"));
  }

  @Test
  void shouldNameTheOwnersWhenListed() throws IOException {
    ask("OTHER", "PUT", "/others");
    ask("OTHER", "PUT", "/others/x");

    assertThat(ask("ADMIN", "GET", "/").body())
        .contains("<Name>data</Name>", "<Name>private</Name>", "<ID>team-a</ID>")
        .doesNotContain("others");
    assertThat(ask("READER", "GET", "/").body())
        .contains("<Name>data</Name>", "<Name>database</Name>")
        .doesNotContain("private");
    assertThat(ask("OTHER", "GET", "/").body())
        .contains("<ID>team-b</ID><DisplayName>Other</DisplayName>", "<Name>others</Name>")
        .doesNotContain("<Name>data</Name>");
    assertThat(ask("OTHER", "GET", "/others").body())
        .contains("<Owner><ID>team-b</ID><DisplayName>Other</DisplayName></Owner>");
    assertThat(ask("OTHER", "GET", "/others/x?acl").body()).contains("<ID>team-b</ID>");
  }

  @Test
  void shouldFollowTheFileWhenItChanges() throws Exception {
    replace(keys(READER, OTHER, key("NEW", "team-a", "")));
    awaitLog("read again: 4 keys");

    assertThat(ask("NEW", "GET", "/data/in/a").status()).isEqualTo(200);
    Answer gone = ask("ADMIN", "GET", "/data/in/a");
    assertThat(gone.status()).isEqualTo(403);
    assertThat(gone.body()).contains("<Code>InvalidAccessKeyId</Code>");

    // In place, and then broken.
    Files.writeString(file, keys(OTHER));
    awaitLog("read again: 2 keys");
    assertThat(ask("NEW", "GET", "/data/in/a").status()).isEqualTo(403);
    Files.writeString(file, "keys = [\n { access-key = OTHER, secret-key = geheim-x y:z\"");
    awaitLog("the keys stay as they were: keys file " + file);
    assertThat(ask("OTHER", "GET", "/").status()).isEqualTo(200);
    Files.writeString(file, "keys = [\n { access-key = OTHER, secret = geheim-OTHER } ]");
    awaitLog("line 2: keys[0].? has a field");
    Files.delete(file);
    awaitLog("cannot be read");
    assertThat(ask("OTHER", "GET", "/").status()).isEqualTo(200);
  }

  @Test
  void shouldWarnWhenEveryoneCanReadTheSecrets() throws Exception {
    assertThat(lines()).noneMatch(line -> line.contains("chmod 600"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    Files.writeString(file, keys(ADMIN));
    awaitLog("chmod 600");
  }

  @Test
  void shouldNotStartWhenTheFileIsOfNoUse() throws IOException {
    Files.writeString(file, "keys = [ { access-key = A } ]");
    assertThatThrownBy(() -> startAgain(Map.of("k", "s")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("keys[0].secret-key is missing");
    Files.writeString(file, "keys = []");
    assertThatThrownBy(() -> startAgain(Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("has no key");
    Files.writeString(file, keys(key("k", "x", "")));
    assertThatThrownBy(() -> startAgain(Map.of("k", "s")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("auth.credentials too");
  }

  private void startAgain(Map<String, String> credentials) throws IOException {
    Map<String, Object> settings =
        Map.of("auth.keys-file", file.toString(), "auth.credentials", credentials);
    TestServer.start(directory.resolve("other"), settings).close();
  }

  private Answer ask(String id, String method, String target) throws IOException {
    try (RawClient client = new RawClient(server.port(), id, secretOf(id))) {
      Headers headers = method.equals("PUT") ? Headers.of("content-length", "0") : Headers.EMPTY;
      client.sendHead(method, target, headers, Headers.EMPTY);
      return client.receive(!method.equals("HEAD"));
    }
  }

  private Answer list(String id, String bucket, String prefix) throws IOException {
    return ask(id, "GET", "/" + bucket + "?list-type=2&prefix=" + prefix);
  }

  private Answer deleteMany(String id, String document) throws IOException {
    try (RawClient client = new RawClient(server.port(), id, secretOf(id))) {
      RequestSigner signer =
          new RequestSigner(id, secretOf(id)).payload(RequestSigner.sha256(document));
      Headers length = Headers.of("content-length", Integer.toString(document.length()));
      client.send(
          signer.head("POST", "/data?delete", "/data", "delete=", length, List.of()) + document);
      return client.receive();
    }
  }

  private static void refused(Answer answer) {
    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.body()).contains("<Code>AccessDenied</Code>");
  }

  /** As an editor does it. */
  private void replace(String text) throws IOException {
    Path next = Files.writeString(directory.resolve("keys.next"), text);
    Files.setPosixFilePermissions(next, PosixFilePermissions.fromString("rw-------"));
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private void awaitLog(String text) throws InterruptedException {
    for (int i = 0; i < 1000 && lines().stream().noneMatch(line -> line.contains(text)); i++) {
      Thread.sleep(20);
    }
    assertThat(lines()).anyMatch(line -> line.contains(text));
  }

  private List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (ILoggingEvent event : log.list) {
      lines.add(event.getFormattedMessage() + " " + event.getThrowableProxy());
    }
    return lines;
  }

  private static String secretOf(String id) {
    return id.equals(TestServer.ACCESS_KEY) ? TestServer.SECRET_KEY : "geheim-" + id;
  }

  private static String keys(String... keys) {
    return "keys = [\n" + String.join("\n", keys) + "\n]\n";
  }

  private static String key(String id, String account, String more) {
    return "{ access-key = %s, secret-key = \"geheim-%s\", account = %s\n %s }"
        .formatted(id, id, account, more);
  }
}
