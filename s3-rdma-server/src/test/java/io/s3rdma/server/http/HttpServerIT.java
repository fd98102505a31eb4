package io.s3rdma.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The listener with operations of the test's own. */
class HttpServerIT {
  @Test
  void shouldCancelWhenClientGoesAwayWhileOperationRuns() throws Exception { // P-4.8
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch cancelled = new CountDownLatch(1);
    AtomicReference<String> thread = new AtomicReference<>();
    Operation operation =
        request -> {
          thread.set(Thread.currentThread().getName());
          request.cancel().onCancel(cancelled::countDown);
          running.countDown();
          await(cancelled);
          return S3Response.of(200);
        };
    try (HttpServer server = HttpLab.server(operation, 4, 4)) {
      RawClient client = new RawClient(server.start().getPort(), "id", "secret");
      client.sendHead("POST", "/special/x", Headers.of("content-length", "0"), Headers.EMPTY);
      await(running);
      client.close();

      await(cancelled);
      assertThat(thread.get()).startsWith("s3-op-");
    }
  }

  @Test
  void shouldSayWhoSignedWhatWhenRouted() throws Exception {
    Operation operation =
        request -> {
          String text =
              request.accessKey()
                  + " "
                  + request.isSigned("X-Amz-Rdma-Token")
                  + " "
                  + request.isSigned("x-other")
                  + " "
                  + request.remote().isLoopbackAddress()
                  + " '"
                  + request.bucket()
                  + "'";
          return S3Response.xml(200, text);
        };
    try (HttpServer server = HttpLab.server(operation, 4, 4);
        RawClient client = new RawClient(server.start().getPort(), "id", "secret")) {
      client.sendHead(
          "POST",
          "/special/connect",
          Headers.of("x-amz-rdma-token", "t"),
          Headers.of("x-other", "o"));

      assertThat(client.receive().body()).isEqualTo("id true false true ''");
    }
  }

  @Test
  void shouldSlowDownWhenPoolIsFull() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Operation operation =
        request -> {
          running.countDown();
          await(release);
          return S3Response.of(200);
        };
    try (HttpServer server = HttpLab.server(operation, 1, 1)) {
      int port = server.start().getPort();
      try (RawClient first = new RawClient(port, "id", "secret");
          RawClient second = new RawClient(port, "id", "secret");
          RawClient third = new RawClient(port, "id", "secret")) {
        first.sendHead("GET", "/special/", Headers.EMPTY, Headers.EMPTY);
        await(running);
        second.sendHead("GET", "/special/", Headers.EMPTY, Headers.EMPTY);
        Thread.sleep(200); // until it waits in the queue, where nothing tells of it
        third.sendHead("GET", "/special/", Headers.EMPTY, Headers.EMPTY);
        assertThat(third.receive().status()).isEqualTo(503);
        release.countDown();
        assertThat(first.receive().status()).isEqualTo(200);
        assertThat(second.receive().status()).isEqualTo(200);
      }
    }
  }

  @Test
  void shouldAnswer500WhenOperationThrowsAnything() throws Exception {
    Operation operation =
        request -> {
          throw new AssertionError("deliberate");
        };
    try (HttpServer server = HttpLab.server(operation, 1, 1);
        RawClient client = new RawClient(server.start().getPort(), "id", "secret")) {
      client.sendHead("GET", "/special/", Headers.EMPTY, Headers.EMPTY);
      RawClient.Answer answer = client.receive();

      assertThat(answer.status()).isEqualTo(500);
      assertThat(answer.body()).doesNotContain("deliberate");
    }
  }

  @Test
  void shouldLetRunningRequestEndWhenClosed() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    Operation operation =
        request -> {
          running.countDown();
          sleep(300);
          return S3Response.of(200);
        };
    HttpServer server = HttpLab.server(operation, 1, 1);
    try (RawClient client = new RawClient(server.start().getPort(), "id", "secret")) {
      client.sendHead("GET", "/special/", Headers.EMPTY, Headers.EMPTY);
      await(running);
      server.close();

      RawClient.Answer answer = client.receive();
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.headers().first("connection")).contains("close");
    }
  }

  @Test
  void shouldCloseWhenHeadDoesNotBecomeWhole() throws Exception {
    try (HttpServer server = HttpLab.server(request -> S3Response.of(200), 1, 1);
        RawClient client = new RawClient(server.start().getPort(), "id", "secret")) {
      client.send("GET / HT");

      assertThat(client.isEnded()).isTrue();
    }
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private static void sleep(long millis) throws IOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }
}
