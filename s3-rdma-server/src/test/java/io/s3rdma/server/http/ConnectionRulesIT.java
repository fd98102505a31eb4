package io.s3rdma.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.server.http.RawClient.Answer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP/1.1 as clients rely on it: framing, order, 100-continue, the end of a connection. */
class ConnectionRulesIT {
  private static final Headers NONE = Headers.EMPTY;
  private static final String ANONYMOUS = "PUT /special/x HTTP/1.1\r\nHost: a\r\n";
  private static final int LARGE = 32 << 20;

  @TempDir Path directory;
  private final CountDownLatch asked = new CountDownLatch(1);
  private HttpServer server;
  private RawClient client;
  private int port;

  @BeforeEach
  void start() throws IOException {
    HttpLimits limits = new HttpLimits(16, 0, 4096, 8192, 65_536, 1 << 24, 96 << 20, 5, 20, 0, 1);
    server = HttpLab.server(limits, this::answer, answered -> {});
    port = server.start().getPort();
    client = client();
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    server.close();
  }

  /** Echoes a body, sends a large content, or fails as the path says. */
  private S3Response answer(S3Request request) throws IOException {
    String what = request.rawPath().substring("/special/".length());
    asked.countDown();
    return switch (what) {
      case "missing" -> throw new S3Exception(S3ErrorCode.NO_SUCH_KEY);
      case "broken" -> throw new S3Exception(S3ErrorCode.SLOW_DOWN);
      case "unchanged" -> S3Response.of(304);
      case "gone" -> S3Response.of(204);
      case "large" -> {
        ScatteredContent content = new ScatteredContent(new byte[LARGE], 4 << 20, directory);
        yield S3Response.of(200).withContent(content, 0, LARGE);
      }
      default -> {
        ByteBuffer body = ByteBuffer.allocate(1 << 16);
        while (request.body().read(body) >= 0) {
          assertThat(body.hasRemaining()).isTrue();
        }
        String text = new String(body.array(), 0, body.position(), StandardCharsets.UTF_8);
        yield S3Response.xml(200, what + ":" + text);
      }
    };
  }

  @Test
  void shouldServeThousandWhenErrorsAreMixedIn() throws IOException {
    for (int i = 0; i < 1000; i++) {
      int expected = one(i);
      Answer answer = client.receive(i % 9 != 3);
      assertThat(answer.status()).as("request %d", i).isEqualTo(expected);
      boolean bodiless = expected == 304 || expected == 204;
      assertThat(answer.headers().contains("content-length")).isEqualTo(!bodiless);
      assertThat(answer.headers().first("connection")).contains("keep-alive");
    }
  }

  /** Sends a request of its kind; what it must be answered. */
  private int one(int i) throws IOException {
    Headers five = Headers.of("content-length", "5");
    switch (i % 9) {
      case 0 -> client.sendHead("GET", "/special/x", NONE, NONE);
      case 1 -> client.sendHead("GET", "/special/missing", NONE, NONE);
      case 2 -> client.send("GET /special/x HTTP/1.1\r\nHost: a\r\n\r\n");
      case 3 -> client.sendHead("HEAD", "/special/missing", NONE, NONE);
      case 4 -> client.sendHead("GET", "/special/unchanged", NONE, NONE);
      case 5 -> client.sendHead("DELETE", "/special/gone", NONE, NONE);
      case 6 -> {
        client.sendHead("PUT", "/special/broken", five, NONE);
        client.send("hello");
      }
      case 7 -> {
        client.sendHead("PUT", "/special/y", Headers.of("transfer-encoding", "chunked"), NONE);
        client.send("5\r\nhello\r\n0\r\n\r\n");
      }
      default -> client.send("PUT /b/k HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello");
    }
    return new int[] {200, 404, 403, 404, 304, 204, 503, 200, 403}[i % 9];
  }

  @Test
  void shouldAnswerInOrderWhenBodiesArePipelined() throws IOException {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < 50; i++) {
      String body = "body" + i;
      Headers length = Headers.of("content-length", Integer.toString(body.length()));
      all.append(client.head("PUT", "/special/" + i, "UNSIGNED-PAYLOAD", length, NONE))
          .append(body);
    }
    client.send(all.toString());
    for (int i = 0; i < 50; i++) {
      assertThat(client.receive().body()).isEqualTo(i + ":body" + i);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"200", "", "garbage", "100-continue, x"})
  void shouldIgnoreWhenExpectIsUnknown(String value) throws IOException {
    Headers expect = Headers.of("content-length", "5", "expect", value);
    client.sendHead("PUT", "/special/e", expect, NONE);
    client.send("hello");

    assertThat(client.receive().body()).isEqualTo("e:hello");
  }

  @Test
  void shouldNotContinueWhenBodyIsEmpty() throws IOException { // s3-bugs 39
    Headers expect = Headers.of("content-length", "0", "expect", "100-continue");
    for (int i = 0; i < 20; i++) {
      client.sendHead("POST", "/special/u?uploads", expect, NONE);
      Answer answer = client.receive();
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.headers().first("content-length")).contains("2");
      assertThat(answer.headers().first("connection")).contains("keep-alive");
    }
  }

  @Test
  void shouldRefuseInsteadOfContinueWhenSignatureIsWrong() throws IOException {
    client.send(ANONYMOUS + "Expect: 100-continue\r\nContent-Length: 1000000\r\n\r\n");

    assertThat(client.receive().status()).isEqualTo(403);
    assertThat(client.isEnded()).isTrue();
  }

  @Test
  void shouldLetClientReadRefusalWhenLargeBodyComesSlowly() throws Exception { // s3-bugs 37
    int size = 64 << 20;
    client.send("PUT /special/x HTTP/1.1\r\nHost: a\r\nContent-Length: " + size + "\r\n\r\n");
    String megabyte = "x".repeat(1 << 20);
    for (int sent = 0; sent < size; sent += 1 << 20) {
      client.send(megabyte);
      Thread.sleep(10);
    }

    Answer answer = client.receive();
    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.body()).contains("<Code>AccessDenied</Code>");
    assertThat(client.isEnded()).isTrue();
  }

  @Test
  void shouldLetClientReadRefusalWhenFramingIsBroken() throws IOException {
    client.send(ANONYMOUS + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (int i = 0; i < 8; i++) {
      client.send("x".repeat(1 << 16)); // would be reset, and the answer lost
    }

    assertThat(client.receive().status()).isEqualTo(400);
    assertThat(client.isEnded()).isTrue();
  }

  @Test
  void shouldFollowVersionWhenHttp10() throws IOException {
    String head = client.head("GET", "/special/x", "UNSIGNED-PAYLOAD", NONE, NONE);
    String old = head.replace("HTTP/1.1", "HTTP/1.0");
    client.send(old.replace("\r\n\r\n", "\r\nConnection: keep-alive\r\n\r\n"));
    assertThat(client.receive().headers().first("connection")).contains("keep-alive");
    client.send(old);
    assertThat(client.receive().headers().first("connection")).contains("close");
    assertThat(client.isEnded()).isTrue();
  }

  @Test
  void shouldNotSend100WhenHttp10() throws IOException {
    Headers expect = Headers.of("content-length", "5", "expect", "100-continue");
    String head = client.head("PUT", "/special/x", "UNSIGNED-PAYLOAD", expect, NONE);
    client.send(head.replace("HTTP/1.1", "HTTP/1.0"));
    client.send("hello");

    assertThat(client.receive().body()).isEqualTo("x:hello");
  }

  @Test
  void shouldRefuseWhenHostIsMissing() throws IOException {
    client.send("GET /special/x HTTP/1.1\r\n\r\n");

    assertThat(client.receive().status()).isEqualTo(400);
  }

  @Test
  void shouldEndTransfersAndRefuseNewOnesWhenStopped() throws Exception {
    try (RawClient idle = client();
        RawClient upload = client()) {
      client.sendHead("GET", "/special/large", NONE, NONE);
      client.receive(false);
      upload.sendHead("PUT", "/special/up", Headers.of("content-length", "10"), NONE);
      upload.send("hello");
      assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
      Thread.sleep(100); // both operations are in work now
      Thread stopper = Thread.ofPlatform().start(server::close);

      assertThat(idle.isEnded()).isTrue();
      assertThatThrownBy(this::client).isInstanceOf(IOException.class);
      upload.send("world");
      Answer stored = upload.receive();
      assertThat(stored.body()).isEqualTo("up:helloworld");
      assertThat(stored.headers().first("connection")).contains("close");
      assertThat(client.skip(LARGE)).isEqualTo(LARGE);
      assertThat(client.isEnded()).isTrue();
      stopper.join();
    }
  }

  private RawClient client() throws IOException {
    return new RawClient(port, HttpLab.KEY, HttpLab.SECRET);
  }
}
