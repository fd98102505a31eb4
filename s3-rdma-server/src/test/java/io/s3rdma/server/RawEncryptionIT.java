package io.s3rdma.server;

import static io.s3rdma.server.RawCalls.code;
import static io.s3rdma.server.RawCalls.element;
import static io.s3rdma.server.RawCalls.header;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import io.s3rdma.server.http.RawClient.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** What is said of encryption in headers and documents, as no SDK sends it. */
class RawEncryptionIT {
  private static final String SSE = "x-amz-server-side-encryption";
  private static final String MD5_HEADER = SSE + "-customer-key-MD5";
  private static final String TEXT = "what nobody else may read";
  private static final String DEFAULT_ON =
      "<ServerSideEncryptionConfiguration><Rule><ApplyServerSideEncryptionByDefault>"
          + "<SSEAlgorithm>AES256</SSEAlgorithm></ApplyServerSideEncryptionByDefault>"
          + "<BucketKeyEnabled>false</BucketKeyEnabled></Rule></ServerSideEncryptionConfiguration>";

  @TempDir static Path directory;
  private static TestServer server;
  private static RawCalls calls;

  @BeforeAll
  static void start() throws IOException {
    server =
        TestServer.start(directory, Map.of("encryption.allow-customer-keys-over-http", "true"));
    calls = new RawCalls(server);
    calls.send("PUT", "/sse", "");
    calls.send("PUT", "/sse/theirs", TEXT, CustomerKeys.A.headers());
    calls.send("PUT", "/sse/ours", TEXT, SSE, "AES256");
    calls.send("PUT", "/sse/plain", TEXT);
  }

  @AfterAll
  static void stop() throws IOException {
    calls.close();
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "AES256, KEY, '', InvalidArgument",
    "AES256, '', '', InvalidArgument",
    "AES256, '', MD5, InvalidArgument",
    "'', KEY, MD5, InvalidArgument",
    "AES128, KEY, MD5, InvalidEncryptionAlgorithmError",
    "aes256, KEY, MD5, InvalidEncryptionAlgorithmError",
    "AES256, KEY, AAAAAAAAAAAAAAAAAAAAAA==, InvalidArgument",
    "AES256, KEY, none, InvalidArgument",
    "AES256, c2hvcnQ=, MD5, InvalidArgument",
    "AES256, no base64, MD5, InvalidArgument",
  })
  void shouldRefuseWhenKeyHeadersDoNotFit(String algorithm, String key, String md5, String code)
      throws IOException {
    List<String> headers = new ArrayList<>();
    add(headers, "-customer-algorithm", algorithm);
    add(headers, "-customer-key", key.replace("KEY", CustomerKeys.A.key()));
    add(headers, "-customer-key-MD5", md5.replace("MD5", CustomerKeys.A.md5()));
    String[] given = headers.toArray(String[]::new);

    for (Answer answer :
        List.of(
            calls.send("PUT", "/sse/refused", TEXT, given),
            calls.send("POST", "/sse/refused?uploads", "", given),
            calls.call("GET", "/sse/theirs", given))) {
      assertThat(answer.status()).isEqualTo(400);
      assertThat(code(answer)).isEqualTo(code);
      assertThat(answer.body()).doesNotContain(CustomerKeys.A.key());
    }
    assertThat(calls.call("HEAD", "/sse/refused").status()).isEqualTo(404);
  }

  private static void add(List<String> headers, String name, String value) {
    if (!value.isEmpty()) {
      headers.addAll(List.of(SSE + name, value));
    }
  }

  @Test
  void shouldRefuseWhenBothWaysAreAsked() throws IOException {
    Answer put = calls.send("PUT", "/sse/both", TEXT, with(CustomerKeys.A, SSE, "AES256"));

    assertThat(put.status()).isEqualTo(400);
    assertThat(code(put)).isEqualTo("InvalidArgument");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/sse/theirs", "/sse/theirs?attributes", "/sse/theirs?partNumber=1"})
  void shouldReadOnlyWithTheSameKey(String target) throws IOException {
    String[] asked = {"x-amz-object-attributes", "ObjectSize"};
    assertThat(code(calls.call("GET", target, asked))).isEqualTo("InvalidRequest");
    assertThat(code(calls.call("GET", target, with(CustomerKeys.B, asked))))
        .isEqualTo("InvalidRequest");
    if (!target.contains("attributes")) {
      assertThat(calls.call("HEAD", target).status()).isEqualTo(400);
      assertThat(calls.call("HEAD", target, CustomerKeys.B.headers()).status()).isEqualTo(400);
    }

    Answer got = calls.call("GET", target, with(CustomerKeys.A, asked));
    assertThat(got.status() / 100).isEqualTo(2);
    assertThat(got.body()).contains(target.contains("attributes") ? "" + TEXT.length() : TEXT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/sse/ours", "/sse/plain"})
  void shouldRefuseAKeyWhenItIsNotNeeded(String target) throws IOException {
    assertThat(calls.call("GET", target).body()).isEqualTo(TEXT);
    assertThat(code(calls.call("GET", target, CustomerKeys.A.headers())))
        .isEqualTo("InvalidRequest");
    assertThat(calls.call("HEAD", target, CustomerKeys.A.headers()).status()).isEqualTo(400);
    assertThat(code(calls.call("GET", target, SSE, "AES256"))).isEqualTo("InvalidArgument");
    assertThat(calls.call("HEAD", target, SSE, "AES256").status()).isEqualTo(400);
  }

  @Test
  void shouldSayHowItIsEncrypted() throws IOException {
    for (String method : List.of("GET", "HEAD")) {
      Answer ours = calls.call(method, "/sse/ours");
      Answer theirs = calls.call(method, "/sse/theirs", CustomerKeys.A.headers());
      assertThat(header(ours, SSE)).isEqualTo("AES256");
      assertTheirs(theirs);
      assertThat(calls.call(method, "/sse/plain").headers().names())
          .noneMatch(name -> name.contains("encryption"));
    }
    assertTheirs(calls.send("PUT", "/sse/again", TEXT, CustomerKeys.A.headers()));
    assertThat(header(calls.send("PUT", "/sse/again", TEXT, SSE, "AES256"), SSE))
        .isEqualTo("AES256");
  }

  private static void assertTheirs(Answer answer) {
    assertThat(answer.status()).isEqualTo(200);
    assertThat(header(answer, SSE)).isEmpty();
    assertThat(header(answer, SSE + "-customer-algorithm")).isEqualTo("AES256");
    assertThat(header(answer, MD5_HEADER)).isEqualTo(CustomerKeys.A.md5());
    assertThat(header(answer, SSE + "-customer-key")).isEmpty();
  }

  /** The sum is over the plain bytes "123456789" (s3-bugs 10). */
  @Test
  void shouldKeepTheChecksumWhenACustomersKeyEncrypts() throws IOException {
    String[] sum = {"x-amz-checksum-crc32", "y/Q5Jg=="};
    String[] wrong = {"x-amz-checksum-crc32", "AAAAAA=="};
    assertTheirs(calls.send("PUT", "/sse/sum", "123456789", with(CustomerKeys.A, sum)));
    assertThat(code(calls.send("PUT", "/sse/sum", "123456789", with(CustomerKeys.A, wrong))))
        .isEqualTo("BadDigest");
    String[] mode = {"x-amz-checksum-mode", "ENABLED"};
    Answer got = calls.call("GET", "/sse/sum", with(CustomerKeys.A, mode));

    assertThat(got.body()).isEqualTo("123456789");
    assertThat(header(got, "x-amz-checksum-crc32")).isEqualTo("y/Q5Jg==");
    assertThat(header(got, "etag")).doesNotContain("25f9e794323b453885f5181f1b624d0b");
  }

  @Test
  void shouldTakePartsOnlyWithTheKeyOfTheirUpload() throws IOException {
    Answer created = calls.send("POST", "/sse/parts?uploads", "", CustomerKeys.A.headers());
    assertTheirs(created);
    String id = element(created, "UploadId");
    String part = "/sse/parts?partNumber=1&uploadId=" + id;

    assertThat(code(calls.send("PUT", part, TEXT))).isEqualTo("InvalidRequest");
    assertThat(code(calls.send("PUT", part, TEXT, CustomerKeys.B.headers())))
        .isEqualTo("InvalidRequest");
    Answer sent = calls.send("PUT", part, TEXT, CustomerKeys.A.headers());
    assertTheirs(sent);
    String body =
        "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>%s</ETag></Part>"
                .formatted(header(sent, "etag"))
            + "</CompleteMultipartUpload>";
    String complete = "/sse/parts?uploadId=" + id;
    assertThat(code(calls.send("POST", complete, body, CustomerKeys.B.headers())))
        .isEqualTo("InvalidRequest");
    assertThat(calls.send("POST", complete, body).status()).isEqualTo(200);
    assertThat(calls.call("GET", "/sse/parts", CustomerKeys.A.headers()).body()).isEqualTo(TEXT);
    assertThat(code(calls.call("GET", "/sse/parts?partNumber=2"))).isEqualTo("InvalidPart");
    assertThat(code(calls.call("GET", "/sse/parts"))).isEqualTo("InvalidRequest");

    String plain = element(calls.send("POST", "/sse/p2?uploads", "", SSE, "AES256"), "UploadId");
    String other = "/sse/p2?partNumber=1&uploadId=" + plain;
    assertThat(code(calls.send("PUT", other, TEXT, CustomerKeys.A.headers())))
        .isEqualTo("InvalidRequest");
    assertThat(header(calls.send("PUT", other, TEXT), SSE)).isEqualTo("AES256");
  }

  @Test
  void shouldEncryptByDefaultWhenTheBucketSaysSo() throws IOException {
    calls.send("PUT", "/default", "");
    assertThat(code(calls.call("GET", "/default?encryption")))
        .isEqualTo("ServerSideEncryptionConfigurationNotFoundError");
    assertThat(calls.send("PUT", "/default?encryption", DEFAULT_ON).status()).isEqualTo(200);
    Answer got = calls.call("GET", "/default?encryption");
    assertThat(element(got, "SSEAlgorithm")).isEqualTo("AES256");
    assertThat(element(got, "BucketKeyEnabled")).isEqualTo("false");
    assertThat(header(calls.send("PUT", "/default/k", TEXT), SSE)).isEqualTo("AES256");
    assertThat(header(calls.send("POST", "/default/u?uploads", ""), SSE)).isEqualTo("AES256");
    assertThat(header(copy("/default/copy", "/sse/plain"), SSE)).isEqualTo("AES256");
    assertTheirs(calls.send("PUT", "/default/theirs", TEXT, CustomerKeys.A.headers()));

    assertThat(calls.call("DELETE", "/default?encryption").status()).isEqualTo(204);
    assertThat(calls.call("GET", "/default?encryption").status()).isEqualTo(404);
    assertThat(header(calls.send("PUT", "/default/k", TEXT), SSE)).isEmpty();
    assertThat(header(calls.call("GET", "/default/copy"), SSE)).isEqualTo("AES256");
  }

  @ParameterizedTest
  @CsvSource({
    "<SSEAlgorithm>aws:kms</SSEAlgorithm>, NotImplemented",
    "<SSEAlgorithm>aws:kms:dsse</SSEAlgorithm>, NotImplemented",
    "<SSEAlgorithm>AES192</SSEAlgorithm>, MalformedXML",
    "'', MalformedXML",
    "<SSEAlgorithm>AES256</SSEAlgorithm><KMSMasterKeyID>k</KMSMasterKeyID>, InvalidArgument",
  })
  void shouldRefuseADefaultThatIsNotThere(String byDefault, String code) throws IOException {
    String document = DEFAULT_ON.replace("<SSEAlgorithm>AES256</SSEAlgorithm>", byDefault);

    assertThat(code(calls.send("PUT", "/sse?encryption", document))).isEqualTo(code);
    assertThat(calls.call("GET", "/sse?encryption").status()).isEqualTo(404);
  }

  @Test
  void shouldCopyOnlyWithTheKeyOfTheSource() throws IOException {
    assertThat(code(copy("/sse/c", "/sse/theirs"))).isEqualTo("InvalidRequest");
    assertThat(code(copy("/sse/c", "/sse/theirs", CustomerKeys.B.sourceHeaders())))
        .isEqualTo("InvalidRequest");
    assertThat(code(copy("/sse/c", "/sse/plain", CustomerKeys.A.sourceHeaders())))
        .isEqualTo("InvalidRequest");
    assertThat(calls.call("HEAD", "/sse/c").status()).isEqualTo(404);
    assertThat(copy("/sse/c", "/sse/theirs", CustomerKeys.A.sourceHeaders()).status())
        .isEqualTo(200);
    assertThat(calls.call("GET", "/sse/c").body()).isEqualTo(TEXT);
  }

  @Test
  void shouldCopyOntoItselfWhenTheEncryptionChanges() throws IOException {
    calls.send("PUT", "/sse/self", TEXT);
    assertThat(code(copy("/sse/self", "/sse/self"))).isEqualTo("InvalidRequest");
    assertThat(copy("/sse/self", "/sse/self", SSE, "AES256").status()).isEqualTo(200);
    assertThat(header(calls.call("GET", "/sse/self"), SSE)).isEqualTo("AES256");
  }

  private static Answer copy(String to, String from, String... headers) throws IOException {
    String[] all = Arrays.copyOf(headers, headers.length + 2);
    all[headers.length] = "x-amz-copy-source";
    all[headers.length + 1] = from;
    return calls.send("PUT", to, "", all);
  }

  /** Not even where everything is logged; nor on the disk, nor in an answer. */
  @Test
  void shouldLeaveNoTraceOfAKey() throws IOException {
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    // Whatever a server of another test has configured: its own logger, and that of the access log.
    List<Logger> loggers =
        Stream.of(Logger.ROOT_LOGGER_NAME, "io.s3rdma", "io.s3rdma.server.access")
            .map(name -> (Logger) LoggerFactory.getLogger(name))
            .toList();
    List<Level> before = loggers.stream().map(Logger::getLevel).toList();
    loggers.forEach(logger -> logger.setLevel(Level.TRACE));
    loggers.getFirst().addAppender(log);
    loggers.getLast().addAppender(log);
    StringBuilder answers = new StringBuilder();
    try (RawCalls fresh = new RawCalls(server)) {
      for (CustomerKeys key : List.of(CustomerKeys.A, CustomerKeys.B)) {
        answers.append(fresh.send("PUT", "/sse/trace", TEXT, key.headers()).body());
        answers.append(fresh.call("GET", "/sse/theirs", key.headers()).body());
        answers.append(fresh.call("GET", "/none/none", key.headers()).body());
        answers.append(fresh.call("GET", "/sse/plain", key.headers()).body());
      }
      // A line comes behind its answer, so the last but one request's is there for certain.
      fresh.call("GET", "/sse/plain");
    } finally {
      loggers.getFirst().detachAppender(log);
      loggers.getLast().detachAppender(log);
      for (int i = 0; i < loggers.size(); i++) {
        loggers.get(i).setLevel(before.get(i));
      }
    }
    String logged = String.join("\n", log.list.stream().map(RawEncryptionIT::text).toList());
    assertThat(logged).contains("/sse/trace"); // the access log at least
    for (CustomerKeys key : List.of(CustomerKeys.A, CustomerKeys.B)) {
      assertThat(logged).doesNotContain(key.key());
      assertThat(answers.toString()).doesNotContain(key.key());
      assertThat(filesWith(key.key())).isEmpty();
    }
  }

  private static String text(ILoggingEvent event) {
    return event.getFormattedMessage()
        + event.getKeyValuePairs()
        + (event.getThrowableProxy() == null
            ? ""
            : ThrowableProxyUtil.asString(event.getThrowableProxy()));
  }

  private static List<Path> filesWith(String text) throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        if (Files.readString(file, StandardCharsets.ISO_8859_1).contains(text)) {
          found.add(file);
        }
      }
    }
    return found;
  }

  private static String[] with(CustomerKeys key, String... headers) {
    return Stream.concat(Arrays.stream(key.headers()), Arrays.stream(headers))
        .toArray(String[]::new);
  }
}
