package io.s3rdma.client.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** Answers as servers and proxies give them, right and wrong ones. */
final class LeanHttpTest {
  private static final String CLOSE = "CLOSE";

  private ServerSocket server;
  private LeanHttp http;
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
  private final AtomicInteger connections = new AtomicInteger();
  private final List<String> requests = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    Thread.ofPlatform().daemon().start(this::accept);
    http =
        new LeanHttp(
            URI.create("http://127.0.0.1:" + server.getLocalPort()),
            "us-east-1",
            StaticCredentialsProvider.create(AwsBasicCredentials.create("AKID", "secret")),
            4);
  }

  @AfterEach
  void stop() throws IOException {
    http.close();
    server.close();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        connections.incrementAndGet();
        Thread.ofPlatform().daemon().start(() -> serve(socket));
      }
    } catch (IOException e) {
      assertThat(server.isClosed()).isTrue();
    }
  }

  /** An answer for each request; none is left: silence. */
  private void serve(Socket socket) {
    try (socket) {
      StringBuilder head = new StringBuilder();
      InputStream in = socket.getInputStream();
      for (int octet = in.read(); octet >= 0; octet = in.read()) {
        head.append((char) octet);
        if (head.toString().endsWith("\r\n\r\n")) {
          synchronized (requests) {
            requests.add(head.toString());
          }
          head.setLength(0);
          String answer = answers.take();
          if (answer.equals(CLOSE)) {
            return;
          }
          boolean close = answer.endsWith(CLOSE);
          String sent = close ? answer.substring(0, answer.length() - CLOSE.length()) : answer;
          socket.getOutputStream().write(sent.getBytes(StandardCharsets.ISO_8859_1));
          if (close) {
            return;
          }
        }
      }
    } catch (IOException e) {
      assertThat(e).isNotNull(); // the client went away
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private LeanAnswer get() throws IOException {
    return http.send(
        "GET", "/b/k", Map.of("range", "bytes=0-1"), Map.of(), "UNSIGNED-PAYLOAD", 20_000);
  }

  private String body() throws IOException {
    try (LeanAnswer answer = get()) {
      return new String(answer.body().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 200\r\ncontent-length:5\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX: y\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
      })
  void shouldKeepTheConnectionAfterAWholeAnswer(String answer) throws IOException {
    for (int i = 0; i < 3; i++) {
      answers.add(answer);
      assertThat(body()).isEqualTo("hello");
    }
    assertThat(connections).hasValue(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\n\r\nhelloCLOSE",
      })
  void shouldTakeANewConnectionWhereTheServerClosesIt(String answer) throws IOException {
    for (int i = 0; i < 2; i++) {
      answers.add(answer);
      assertThat(body()).isEqualTo("hello");
    }
    assertThat(connections).hasValue(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {204, 304})
  void shouldExpectNoBodyOfAnAnswerThatHasNone(int status) throws IOException {
    for (int i = 0; i < 2; i++) {
      answers.add("HTTP/1.1 " + status + " x\r\nContent-Length: 5\r\n\r\n");
      assertThat(body()).isEmpty();
    }
    assertThat(connections).hasValue(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        CLOSE,
        "HTTP/1.1 200 OK\r\nContent-LenCLOSE",
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhelloCLOSE",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhelloCLOSE",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhello\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello",
        "HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 2x0 OK\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nno name\r\n\r\nhello",
        "HTTP/1.1 101 Switching\r\n\r\nhello",
        "hello\r\n\r\n",
      })
  void shouldFailAndNotReuseTheConnectionOfABrokenAnswer(String answer) throws IOException {
    answers.add(answer);
    assertThatThrownBy(this::body).isInstanceOf(IOException.class);
    answers.add("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    assertThat(body()).isEqualTo("ok");
    assertThat(connections).hasValue(2);
  }

  @Test
  void shouldRefuseAnEndlessHead() {
    answers.add("HTTP/1.1 200 OK\r\n" + "x: y\r\n".repeat(20_000));
    assertThatThrownBy(this::body).hasMessageContaining("head has more than");
  }

  @Test
  void shouldReadAHeadThatIsLargerThanItsBuffer() throws IOException {
    answers.add(
        "HTTP/1.1 200 OK\r\n" + "x: y\r\n".repeat(5_000) + "Content-Length: 5\r\n\r\nhello");
    assertThat(body()).isEqualTo("hello");
  }

  @Test
  void shouldGiveUpWhenNothingComesInTime() {
    assertThatThrownBy(() -> http.send("GET", "/b/k", Map.of(), Map.of(), "UNSIGNED-PAYLOAD", 100))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("within 100 ms");
  }

  @Test
  void shouldNotReuseAConnectionWhoseBodyWasLeft() throws IOException {
    answers.add("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
    try (LeanAnswer answer = get()) {
      assertThat(answer.body().read()).isEqualTo('h');
    }
    answers.add("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    assertThat(body()).isEqualTo("ok");
    assertThat(connections).hasValue(2);
  }

  @Test
  void shouldSendWhatItSigned() throws IOException {
    answers.add("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-One: a\r\n\r\n");
    try (LeanAnswer answer = get()) {
      assertThat(answer.header("x-one")).hasValue("a");
      assertThat(answer.status()).isEqualTo(200);
    }
    synchronized (requests) {
      assertThat(requests.getFirst())
          .startsWith("GET /b/k HTTP/1.1\r\n")
          .contains("host: 127.0.0.1:" + server.getLocalPort() + "\r\n")
          .contains("range: bytes=0-1\r\n")
          .contains("SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,");
    }
  }

  @Test
  void shouldEndItsThreadWhenClosed() throws Exception {
    Set<Thread> others = watches();
    answers.add("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    body();
    Set<Thread> own = watches();
    own.removeAll(others);
    assertThat(own).hasSize(1);

    http.close();
    assertThatThrownBy(this::get).hasMessageContaining("closed");
    for (Thread thread : own) {
      thread.join();
    }
  }

  private static Set<Thread> watches() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("s3rdma-http-watch"))
        .collect(Collectors.toCollection(HashSet::new));
  }
}
