package io.s3rdma.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.server.http.Headers;
import io.s3rdma.server.http.RawClient;
import io.s3rdma.server.http.RawClient.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What no SDK sends, octet by octet. */
class RawHttpIT {
  private static final Headers NONE = Headers.EMPTY;

  @TempDir static Path directory;
  private static TestServer server;
  private RawClient client;

  @BeforeAll
  static void start() throws IOException {
    server = TestServer.start(directory, Map.of("http.drain-bytes-max", 8 << 20));
    try (RawClient client = connect()) {
      client.sendHead("PUT", "/raw", Headers.of("content-length", "0"), NONE);
      assertThat(client.receive().status()).isEqualTo(200);
      client.sendHead("PUT", "/raw/ten", Headers.of("content-length", "10"), NONE);
      client.send("0123456789");
      assertThat(client.receive().status()).isEqualTo(200);
    }
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  @BeforeEach
  void open() throws IOException {
    client = connect();
  }

  @AfterEach
  void close() throws IOException {
    client.close();
  }

  @Test
  void shouldAnswerInOrderWhenPipelined() throws IOException {
    StringBuilder requests = new StringBuilder();
    for (int i = 0; i < 50; i++) {
      Headers range = Headers.of("range", "bytes=" + i % 10 + "-" + i % 10);
      requests.append(client.head("GET", "/raw/ten", "UNSIGNED-PAYLOAD", range, NONE));
      requests.append("GET /raw/ten HTTP/1.1\r\nHost: a\r\n\r\n");
    }
    client.send(requests.toString());

    for (int i = 0; i < 50; i++) {
      assertThat(client.receive().body()).isEqualTo(Integer.toString(i % 10));
      assertThat(client.receive().status()).isEqualTo(403);
    }
  }

  @Test
  void shouldAnswerInOrderWhenPutsArePipelined() throws IOException {
    StringBuilder requests = new StringBuilder();
    for (int i = 0; i < 10; i++) {
      Headers length = Headers.of("content-length", "1");
      requests.append(client.head("PUT", "/raw/pipe", "UNSIGNED-PAYLOAD", length, NONE)).append(i);
      requests.append(client.head("GET", "/raw/pipe", "UNSIGNED-PAYLOAD", NONE, NONE));
    }
    client.send(requests.toString());

    for (int i = 0; i < 10; i++) {
      assertThat(client.receive().status()).isEqualTo(200);
      assertThat(client.receive().body()).isEqualTo(Integer.toString(i));
    }
  }

  @Test
  void shouldStateLengthWhenHead() throws IOException {
    client.sendHead("HEAD", "/raw/ten", NONE, NONE);
    Answer head = client.receive(false);
    client.sendHead("HEAD", "/raw/none", NONE, NONE);
    Answer missing = client.receive(false);
    client.sendHead("GET", "/raw/ten", NONE, NONE);

    assertThat(head.headers().first("content-length")).contains("10");
    assertThat(missing.status()).isEqualTo(404);
    assertThat(client.receive().body()).isEqualTo("0123456789");
  }

  @Test
  void shouldGoOnWhenAnswerWas304() throws IOException {
    client.sendHead("GET", "/raw/ten", Headers.of("if-none-match", "*"), NONE);
    Answer unchanged = client.receive();
    client.sendHead("GET", "/raw/ten", NONE, NONE);

    assertThat(unchanged.status()).isEqualTo(304);
    assertThat(unchanged.headers().contains("etag")).isTrue();
    assertThat(client.receive().body()).isEqualTo("0123456789");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GARBAGE\r\n\r\n",
        "GET / HTTP/9.9\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "PUT /raw/x HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
        "PUT /raw/x HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
        "GET /\u0001 HTTP/1.1\r\nHost: a\r\nbad header: x\r\n\r\n",
      })
  void shouldRefuseAndCloseWhenRequestIsMalformed(String request) throws IOException {
    client.send(request);

    assertThat(client.receive().status()).isEqualTo(400);
    assertThat(client.isEnded()).isTrue();
  }

  @Test
  void shouldRefuseWhenLineOrHeadersAreTooLong() throws IOException {
    client.send("GET /" + "x".repeat(20_000) + " HTTP/1.1\r\nHost: a\r\n\r\n");
    assertThat(client.receive().status()).isEqualTo(414);
    assertThat(client.isEnded()).isTrue();

    try (RawClient other = connect()) {
      other.send("GET / HTTP/1.1\r\nHost: a\r\nX: " + "x".repeat(40_000) + "\r\n\r\n");
      assertThat(other.receive().status()).isEqualTo(431);
      assertThat(other.isEnded()).isTrue();
    }
  }

  @Test
  void shouldRefuseWhenTokenIsNotSigned() throws IOException { // P-1.1
    client.sendHead("GET", "/raw/ten", NONE, Headers.of("x-amz-rdma-token", "rc:0"));

    Answer answer = client.receive();
    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.body()).contains("<Code>AccessDenied</Code>", "x-amz-rdma-token");
    assertThat(answer.headers().contains("x-amz-rdma-reply")).isFalse();
  }

  @Test
  void shouldRefuseWhenTokenComesTwice() throws IOException { // P-1.13
    Headers twice = Headers.of("x-amz-rdma-token", "a", "x-amz-rdma-token", "b");
    client.sendHead("GET", "/raw/ten", twice, NONE);

    assertThat(client.receive().status()).isEqualTo(400);
  }

  @Test
  void shouldContinueOnlyWhenChecksHold() throws IOException {
    Headers expect = Headers.of("content-length", "5", "expect", "100-continue");
    client.sendHead("PUT", "/raw/continued", expect, NONE);
    assertThat(client.receive(false).status()).isEqualTo(100);
    client.send("hello");
    assertThat(client.receive().status()).isEqualTo(200);

    client.sendHead("PUT", "/none/continued", expect, NONE);
    Answer refused = client.receive();
    assertThat(refused.status()).isEqualTo(404);
    assertThat(refused.headers().first("connection")).contains("close");
    assertThat(client.isEnded()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"200", ""})
  void shouldIgnoreWhenExpectIsUnknown(String value) throws IOException {
    Headers expect = Headers.of("content-length", "5", "expect", value);
    client.sendHead("PUT", "/raw/expect", expect, NONE);
    client.send("hello");

    assertThat(client.receive().status()).isEqualTo(200);
  }

  @Test
  void shouldLetClientReadRefusalWhenBodyIsLarge() throws IOException {
    int size = 6 << 20;
    client.send("PUT /raw/x HTTP/1.1\r\nHost: a\r\nContent-Length: " + size + "\r\n\r\n");
    for (int sent = 0; sent < size; sent += 1 << 16) {
      client.send("x".repeat(1 << 16));
    }

    Answer answer = client.receive();
    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.body()).contains("AccessDenied");
    assertThat(client.isEnded()).isTrue();
  }

  @Test
  void shouldKeepConnectionWhenRefusedBodyIsSmall() throws IOException {
    client.send("PUT /raw/x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello");
    assertThat(client.receive().status()).isEqualTo(403);

    client.sendHead("GET", "/raw/ten", NONE, NONE);
    assertThat(client.receive().body()).isEqualTo("0123456789");
  }

  @Test
  void shouldStoreWhenBodyIsTransferChunked() throws IOException {
    client.sendHead("PUT", "/raw/chunked", Headers.of("transfer-encoding", "chunked"), NONE);
    client.send("3\r\nabc\r\n4\r\ndefg\r\n0\r\n\r\n");
    assertThat(client.receive().status()).isEqualTo(200);

    client.sendHead("GET", "/raw/chunked", NONE, NONE);
    assertThat(client.receive().body()).isEqualTo("abcdefg");
  }

  @Test
  void shouldRefuseWhenTransferChunkIsBroken() throws IOException {
    client.sendHead("PUT", "/raw/broken", Headers.of("transfer-encoding", "chunked"), NONE);
    client.send("zz\r\nabc\r\n");

    assertThat(client.receive().status()).isEqualTo(400);
    assertThat(client.isEnded()).isTrue();
  }

  @Test
  void shouldRefuseWhenPutHasNoLength() throws IOException {
    client.sendHead("PUT", "/raw/nolength", NONE, NONE);

    assertThat(client.receive().status()).isEqualTo(411);
  }

  @Test
  void shouldRefuseWhenPayloadHashIsWrong() throws IOException {
    Headers length = Headers.of("content-length", "5");
    client.send(client.head("PUT", "/raw/hash", "0".repeat(64), length, NONE) + "hello");
    Answer wrong = client.receive();
    client.send(client.head("PUT", "/raw/hash", "STREAMING-NOVELTY", length, NONE) + "hello");

    assertThat(wrong.body()).contains("XAmzContentSHA256Mismatch");
    assertThat(client.receive().status()).isEqualTo(501);
    client.sendHead("GET", "/raw/hash", NONE, NONE);
    assertThat(client.receive().status()).isEqualTo(404);
  }

  @Test
  void shouldDropAwsChunkedWhenContentEncodingNamesIt() throws IOException {
    for (String encoding : new String[] {"gzip, aws-chunked", "aws-chunked", "aws-chunked,gzip"}) {
      Headers headers = Headers.of("content-length", "1", "content-encoding", encoding);
      client.sendHead("PUT", "/raw/encoding", headers, NONE);
      client.send("x");
      client.receive();
      client.sendHead("HEAD", "/raw/encoding", NONE, NONE);

      String stored = client.receive(false).headers().first("content-encoding").orElse("");
      assertThat(stored).isEqualTo(encoding.contains("gzip") ? "gzip" : "");
    }
  }

  @Test
  void shouldStoreNothingWhenClientGoesAway() throws Exception {
    client.sendHead("PUT", "/raw/gone", Headers.of("content-length", "100000"), NONE);
    client.send("half");
    Path temporaries = directory.resolve("tmp");
    awaitEmpty(temporaries, false);
    client.close();
    awaitEmpty(temporaries, true);

    try (RawClient other = connect()) {
      other.sendHead("GET", "/raw/gone", NONE, NONE);
      assertThat(other.receive().status()).isEqualTo(404);
    }
  }

  @ParameterizedTest
  @CsvSource({"GET, /raw/ten, 200", "HEAD, /raw/ten, 200", "GET, /raw/none, 404"})
  void shouldServeWhenPresigned(String method, String path, int status) throws IOException {
    String target = client.presigned(method, path, 60);
    client.send(
        method + " " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + server.port() + "\r\n\r\n");

    assertThat(client.receive(method.equals("GET")).status()).isEqualTo(status);
  }

  @Test
  void shouldStoreWhenPutIsPresigned() throws IOException {
    String target = client.presigned("PUT", "/raw/a%20b+c", 60);
    String host = "Host: 127.0.0.1:" + server.port() + "\r\n";
    client.send("PUT " + target + " HTTP/1.1\r\n" + host + "Content-Length: 2\r\n\r\nhi");

    assertThat(client.receive().status()).isEqualTo(200);
    client.send("GET " + target + " HTTP/1.1\r\n" + host + "\r\n");
    assertThat(client.receive().status()).isEqualTo(403);
  }

  @Test
  void shouldTellOfItselfWhenAskedFromHere() throws IOException {
    client.send("GET /-/health HTTP/1.1\r\nHost: a\r\n\r\n");
    assertThat(client.receive().body()).contains("\"status\":\"ok\"");
    client.send("GET /-/transfers HTTP/1.1\r\nHost: a\r\n\r\n");
    assertThat(client.receive().body()).isEqualTo("[]");
    client.send("GET /-/metrics HTTP/1.1\r\nHost: a\r\n\r\n");
    assertThat(client.receive().body()).contains("s3rdma_requests_total{method=\"GET\"");
    client.send("GET /-/none HTTP/1.1\r\nHost: a\r\n\r\n");
    assertThat(client.receive().status()).isEqualTo(404);
    client.send("POST /-/health HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
    assertThat(client.receive().status()).isEqualTo(405);
  }

  @Test
  void shouldServeManyWhenErrorsAreMixedIn() throws IOException {
    for (int i = 0; i < 300; i++) {
      String path = i % 3 == 0 ? "/raw/ten" : i % 3 == 1 ? "/raw/none" : "/none/k";
      client.sendHead("GET", path, NONE, NONE);
      assertThat(client.receive().status()).isEqualTo(i % 3 == 0 ? 200 : 404);
    }
  }

  @Test
  void shouldEndConnectionWhenHttp10() throws IOException {
    client.send("GET /-/health HTTP/1.0\r\nHost: a\r\n\r\n");

    assertThat(client.receive().status()).isEqualTo(200);
    assertThat(client.isEnded()).isTrue();
  }

  @Test
  void shouldStopListeningWhenClosed(@TempDir Path other) throws IOException {
    TestServer stopped = TestServer.start(other);
    int port = stopped.port();
    stopped.close();
    stopped.close();

    assertThatThrownBy(() -> new RawClient(port, "a", "b")).isInstanceOf(IOException.class);
  }

  private static RawClient connect() throws IOException {
    return new RawClient(server.port(), TestServer.ACCESS_KEY, TestServer.SECRET_KEY);
  }

  private static void awaitEmpty(Path directory, boolean wanted) throws Exception {
    for (int i = 0; i < 500 && isEmpty(directory) != wanted; i++) {
      Thread.sleep(20);
    }
    assertThat(isEmpty(directory)).isEqualTo(wanted);
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.findAny().isEmpty();
    }
  }
}
