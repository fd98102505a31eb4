package io.s3rdma.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.server.http.Headers;
import io.s3rdma.server.http.RawClient;
import io.s3rdma.server.http.RawClient.Answer;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a browser sends: preflights without a signature, and requests with an Origin. */
class RawCorsIT {
  private static final String RULES =
      "<CORSConfiguration><CORSRule><AllowedOrigin>https://*.example</AllowedOrigin>"
          + "<AllowedMethod>GET</AllowedMethod><AllowedHeader>x-amz-*</AllowedHeader>"
          + "<ExposeHeader>ETag</ExposeHeader></CORSRule></CORSConfiguration>";

  @TempDir static Path directory;
  private static TestServer server;
  private RawClient client;

  @BeforeAll
  static void start() throws IOException {
    server = TestServer.start(directory);
    try (RawClient client = connect()) {
      for (String bucket : new String[] {"/with", "/without"}) {
        client.sendHead("PUT", bucket, Headers.of("content-length", "0"), Headers.EMPTY);
        assertThat(client.receive().status()).isEqualTo(200);
      }
      Headers length = Headers.of("content-length", Integer.toString(RULES.length()));
      client.sendHead("PUT", "/with?cors", length, Headers.EMPTY);
      client.send(RULES);
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
  void shouldAllowWhenPreflightMatches() throws IOException {
    Answer answer = preflight("/with/key", "https://a.example", "GET", "X-Amz-Date, x-amz-meta-a");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(header(answer, "allow-origin")).isEqualTo("https://a.example");
    assertThat(header(answer, "allow-methods")).isEqualTo("GET");
    assertThat(header(answer, "allow-headers")).isEqualTo("X-Amz-Date, x-amz-meta-a");
    assertThat(header(answer, "expose-headers")).isEqualTo("ETag");
    assertThat(answer.headers().first("vary").orElseThrow()).startsWith("Origin");
    assertThat(answer.body()).isEmpty();
  }

  @Test
  void shouldForbidWhenPreflightMatchesNoRule() throws IOException {
    assertForbidden(preflight("/with", "https://a.other", "GET", ""));
    assertForbidden(preflight("/with", "https://a.example", "PUT", ""));
    assertForbidden(preflight("/with", "https://a.example", "GET", "range"));
    assertForbidden(preflight("/without", "https://a.example", "GET", ""));
    assertForbidden(preflight("/nobucket", "https://a.example", "GET", ""));
    assertForbidden(preflight("/", "https://a.example", "GET", ""));
    assertForbidden(preflight("/-/metrics", "https://a.example", "GET", ""));
  }

  @Test
  void shouldRefuseWhenPreflightIsIncomplete() throws IOException {
    client.send("OPTIONS /with/key HTTP/1.1\r\nHost: a\r\n\r\n");
    assertThat(client.receive().status()).isEqualTo(400);
    client.send("OPTIONS /with/key HTTP/1.1\r\nHost: a\r\nOrigin: https://a.example\r\n\r\n");
    assertThat(client.receive().status()).isEqualTo(400);
  }

  @Test
  void shouldLetPageReadWhenAnswerIsARefusal() throws IOException {
    Headers origin = Headers.of("origin", "https://a.example");
    client.sendHead("GET", "/with/nokey", origin, Headers.EMPTY);
    Answer missing = client.receive();
    client.send("GET /with/nokey HTTP/1.1\r\nHost: a\r\nOrigin: https://a.example\r\n\r\n");
    Answer unsigned = client.receive();

    assertThat(missing.status()).isEqualTo(404);
    assertThat(unsigned.status()).isEqualTo(403);
    for (Answer answer : new Answer[] {missing, unsigned}) {
      assertThat(header(answer, "allow-origin")).isEqualTo("https://a.example");
      assertThat(header(answer, "allow-credentials")).isEqualTo("true");
    }
  }

  @Test
  void shouldSayNothingWhenNoRuleMatches() throws IOException {
    client.sendHead("GET", "/with", Headers.of("origin", "https://other"), Headers.EMPTY);
    Answer other = client.receive();
    client.sendHead("GET", "/without", Headers.of("origin", "https://a.example"), Headers.EMPTY);
    Answer without = client.receive();
    client.sendHead("GET", "/with", Headers.EMPTY, Headers.EMPTY);
    Answer noOrigin = client.receive();
    client.sendHead("DELETE", "/with/k", Headers.of("origin", "https://a.example"), Headers.EMPTY);
    Answer otherMethod = client.receive();

    for (Answer answer : new Answer[] {other, without, noOrigin, otherMethod}) {
      assertThat(answer.status()).isBetween(200, 204);
      assertThat(answer.headers().contains("access-control-allow-origin")).isFalse();
    }
  }

  private Answer preflight(String target, String origin, String method, String headers)
      throws IOException {
    client.send(
        "OPTIONS "
            + target
            + " HTTP/1.1\r\nHost: a\r\nOrigin: "
            + origin
            + "\r\nAccess-Control-Request-Method: "
            + method
            + (headers.isEmpty() ? "" : "\r\nAccess-Control-Request-Headers: " + headers)
            + "\r\n\r\n");
    return client.receive();
  }

  private static void assertForbidden(Answer answer) {
    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.body()).contains("<Code>AccessForbidden</Code>");
    assertThat(answer.headers().contains("access-control-allow-origin")).isFalse();
  }

  private static String header(Answer answer, String name) {
    return answer.headers().first("access-control-" + name).orElseThrow();
  }

  private static RawClient connect() throws IOException {
    return new RawClient(server.port(), TestServer.ACCESS_KEY, TestServer.SECRET_KEY);
  }
}
