package io.s3rdma.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What a request leaves in the log. */
class AccessLogIT {
  private static final Logger ACCESS = (Logger) LoggerFactory.getLogger("io.s3rdma.server.access");
  private static final Logger OWN = (Logger) LoggerFactory.getLogger("io.s3rdma.test");

  private final BlockingQueue<ILoggingEvent> lines = new LinkedBlockingQueue<>();
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          event.prepareForDeferredProcessing();
          lines.add(event);
        }
      };
  private HttpServer server;
  private RawClient client;

  @BeforeEach
  void start() throws IOException {
    appender.start();
    ACCESS.addAppender(appender);
    ACCESS.setLevel(Level.INFO);
    OWN.addAppender(appender);
    server = HttpLab.server(AccessLogIT::answer, 2, 2);
    client = new RawClient(server.start().getPort(), HttpLab.KEY, HttpLab.SECRET);
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    server.close();
    ACCESS.detachAppender(appender);
    ACCESS.setLevel(Level.OFF);
    OWN.detachAppender(appender);
  }

  private static S3Response answer(S3Request request) {
    OWN.error("in the operation");
    return S3Response.xml(200, "four");
  }

  @Test
  void shouldTellOfRequestWhenSigned() throws Exception {
    Headers agent = Headers.of("user-agent", "x \"y\\z", "content-length", "3");
    client.sendHead("PUT", "/special/a%20b?x=1", agent, Headers.EMPTY);
    client.send("abc");
    RawClient.Answer answer = client.receive();
    assertThat(answer.body()).isEqualTo("four");
    String id = answer.headers().first("x-amz-request-id").orElseThrow();

    ILoggingEvent inside = lines.poll(10, TimeUnit.SECONDS);
    assertThat(inside.getMDCPropertyMap()).containsEntry("request", id);
    Map<String, Object> line = next();
    assertThat(line)
        .containsEntry("remote", "127.0.0.1")
        .containsEntry("key", "id")
        .containsEntry("method", "PUT")
        .containsEntry("path", "/special/a%20b?x=1")
        .containsEntry("status", 200)
        .containsEntry("out", 4L)
        .containsEntry("transport", "http")
        .containsEntry("request", id)
        .containsEntry("whole", true)
        .containsEntry("agent", "x %22y%5Cz");
    assertThat(line).containsKeys("in", "millis");
  }

  @Test
  void shouldKeepSecretsWhenPresigned() throws Exception {
    String target =
        client.presigned("GET", "/special/x", 60)
            + "&X-Amz-Security-Token=geheim&response-x=y"
            + "&x-amz-server-side-encryption-customer-key=geheim&z=1";
    client.send("GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n");
    assertThat(client.receive().status()).isEqualTo(403);

    Map<String, Object> line = next();
    assertThat(line).containsEntry("key", "id").containsEntry("status", 403);
    assertThat((String) line.get("path"))
        .contains("X-Amz-Signature=&X-Amz-Security-Token=&response-x=y")
        .contains("&x-amz-server-side-encryption-customer-key=&z=1")
        .contains("X-Amz-Expires=60")
        .doesNotContain("geheim");
    assertThat(line.toString()).doesNotContainPattern("[0-9a-f]{64}");
  }

  @Test
  void shouldTellOfWhatWasNoRequest() throws Exception {
    client.send("GARBAGE\r\n\r\n");
    assertThat(client.receive().status()).isEqualTo(400);

    assertThat(next()).containsEntry("status", 400).containsEntry("key", "-");
  }

  private Map<String, Object> next() throws InterruptedException {
    ILoggingEvent line = lines.poll(10, TimeUnit.SECONDS);
    return line.getKeyValuePairs().stream()
        .collect(Collectors.toMap(pair -> pair.key, pair -> pair.value));
  }
}
