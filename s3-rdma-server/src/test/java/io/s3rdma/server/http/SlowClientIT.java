package io.s3rdma.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.server.http.RawClient.Answer;
import io.s3rdma.server.http.RequestObserver.Refusal;
import io.s3rdma.server.http.RequestObserver.Timeout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that would hold what others need: by slowness, by number, by memory. */
class SlowClientIT {
  private static final int KIB = 1024;

  @TempDir Path directory;
  private final Seen seen = new Seen();
  private final Queue<ScatteredContent> contents = new ConcurrentLinkedQueue<>();
  private final CountDownLatch mayRead = new CountDownLatch(1);
  private HttpServer server;
  private int port;

  /** What the server told of its connections. */
  private static final class Seen implements RequestObserver {
    final AtomicInteger open = new AtomicInteger();
    final Queue<Refusal> refusals = new ConcurrentLinkedQueue<>();
    final Queue<Timeout> timeouts = new ConcurrentLinkedQueue<>();

    @Override
    public void answered(Answered answered) {}

    @Override
    public void connectionOpened() {
      open.incrementAndGet();
    }

    @Override
    public void connectionClosed() {
      open.decrementAndGet();
    }

    @Override
    public void connectionRefused(Refusal reason) {
      refusals.add(reason);
    }

    @Override
    public void connectionTimedOut(Timeout awaited) {
      timeouts.add(awaited);
    }
  }

  @AfterEach
  void stop() {
    mayRead.countDown();
    server.close();
    assertThat(seen.open.get()).isZero();
    assertThat(server.bodyBytesHeld()).isZero();
  }

  @Test
  void shouldAnswerRequestTimeoutWhenBodyComesTooSlowly() throws Exception {
    start(limits(16, 0, 100, 30));
    try (RawClient client = client()) {
      head(client, "/special/read", 100_000);
      client.send("x".repeat(10));

      Answer answer = client.receive();
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.body()).contains("<Code>RequestTimeout</Code>");
      assertThat(answer.headers().first("connection")).contains("close");
      assertThat(client.isEnded()).isTrue();
    }
    assertThat(seen.timeouts).contains(Timeout.BODY);
  }

  @Test
  void shouldAnswerRequestTimeoutWhenBodyStops() throws Exception {
    start(limits(16, 0, 0, 1));
    try (RawClient client = client()) {
      head(client, "/special/read", 100_000);
      client.send("x".repeat(10));

      assertThat(client.receive().body()).contains("<Code>RequestTimeout</Code>");
    }
  }

  @Test
  void shouldReadOnWhenBodyIsSlowButSteady() throws Exception {
    start(limits(16, 0, 100, 30));
    try (RawClient client = client()) {
      head(client, "/special/read", 30_000);
      for (int i = 0; i < 30; i++) {
        client.send("x".repeat(1000));
        Thread.sleep(100); // three windows in all
      }
      assertThat(client.receive().body()).isEqualTo("30000");
    }
    assertThat(seen.timeouts).isEmpty();
  }

  @Test
  void shouldWaitWhenTheServerItselfIsSlow() throws Exception {
    start(limits(16, 0, 100, 1));
    try (RawClient client = client()) {
      head(client, "/special/wait", 1 << 20);
      Thread sender = Thread.ofPlatform().start(() -> sendQuietly(client, 1 << 20));
      Thread.sleep(2_500); // over windows and the idle limit
      mayRead.countDown();

      assertThat(client.receive().body()).isEqualTo("1048576");
      sender.join();
    }
    assertThat(seen.timeouts).isEmpty();
  }

  @Test
  void shouldBreakOffWhenAnswerIsNotTaken() throws Exception {
    start(limits(16, 0, 100, 30));
    try (RawClient client = client()) {
      head(client, "/special/content", 0);
      client.receive(false);

      assertThat(contents.element().closed.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(seen.timeouts).containsExactly(Timeout.ANSWER_TAKEN);
    }
  }

  @Test
  void shouldCloseWhenNothingIsAskedOrHeadIsUnfinished() throws Exception {
    start(limits(16, 0, 100, 1));
    try (RawClient silent = client();
        RawClient half = client()) {
      half.send("GET / HT");
      assertThat(silent.isEnded()).isTrue();
      assertThat(half.isEnded()).isTrue();
    }
    assertThat(seen.timeouts).contains(Timeout.NEXT_REQUEST).hasSizeGreaterThanOrEqualTo(2);
  }

  @Test
  void shouldRefuseWhenAddressHasTooMany() throws Exception {
    start(limits(16, 2, 0, 30));
    assertThirdIsRefused(Refusal.ADDRESS);
  }

  @Test
  void shouldRefuseWhenThereAreTooMany() throws Exception {
    start(limits(2, 0, 0, 30));
    assertThirdIsRefused(Refusal.TOTAL);
  }

  private void assertThirdIsRefused(Refusal reason) throws Exception {
    try (RawClient first = client()) {
      RawClient second = client();
      head(second, "/special/read", 0);
      assertThat(second.receive().status()).isEqualTo(200);
      try (RawClient third = client()) {
        assertThat(third.isEnded()).isTrue();
      }
      assertThat(seen.refusals).containsExactly(reason);
      second.close();
      awaitOpen(1);
      try (RawClient fourth = client()) {
        head(fourth, "/special/read", 0);
        assertThat(fourth.receive().status()).isEqualTo(200);
      }
      head(first, "/special/read", 0);
      assertThat(first.receive().status()).isEqualTo(200);
    }
    awaitOpen(0);
  }

  @Test
  void shouldHoldLittleWhenManyBodiesWait() throws Exception {
    int many = 12;
    int size = 1 << 20;
    start(limits(16, 0, 0, 30));
    List<RawClient> clients = new ArrayList<>();
    List<Thread> senders = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      RawClient client = client();
      clients.add(client);
      head(client, "/special/wait", size);
      senders.add(Thread.ofPlatform().start(() -> sendQuietly(client, size)));
    }
    for (int i = 0; i < 100 && server.bodyBytesHeld() < 256 * KIB; i++) {
      Thread.sleep(10);
    }
    Thread.sleep(300); // what would still be read ahead would be read by now
    // The mark, and a message for each that came before it was reached.
    assertThat(server.bodyBytesHeld()).isBetween(256L * KIB, (256 + many * 64L) * KIB);
    mayRead.countDown();
    for (RawClient client : clients) {
      assertThat(client.receive().body()).isEqualTo(Integer.toString(size));
      client.close();
    }
    for (Thread sender : senders) {
      sender.join();
    }
  }

  @Test
  void shouldLetGoOfBodyWhenClientLeavesBeforeItIsRead() throws Exception {
    start(limits(16, 0, 0, 30));
    RawClient client = client();
    head(client, "/special/wait", 1 << 20);
    client.send("x".repeat(100_000));
    for (int i = 0; i < 500 && server.bodyBytesHeld() < 100_000; i++) {
      Thread.sleep(10);
    }
    assertThat(server.bodyBytesHeld()).isEqualTo(100_000);
    client.close();
    awaitOpen(0);
    mayRead.countDown();
    for (int i = 0; i < 500 && server.bodyBytesHeld() > 0; i++) {
      Thread.sleep(10);
    }
    assertThat(server.bodyBytesHeld()).isZero();
  }

  private static HttpLimits limits(int most, int perAddress, int rate, int idleSeconds) {
    return new HttpLimits(
        most, perAddress, 4096, 8192, 256 * KIB, 256 * KIB, 1 << 20, 1, idleSeconds, rate, 1);
  }

  private void start(HttpLimits limits) throws IOException {
    server = HttpLab.server(limits, this::answer, seen);
    port = server.start().getPort();
  }

  private S3Response answer(S3Request request) throws IOException {
    if (request.rawPath().endsWith("content")) {
      ScatteredContent content = new ScatteredContent(new byte[64 << 20], 16 << 20, directory);
      contents.add(content);
      return S3Response.of(200).withContent(content, 0, 64 << 20);
    }
    if (request.rawPath().endsWith("wait")) {
      await();
    }
    long count = 0;
    ByteBuffer buffer = ByteBuffer.allocate(10_000);
    for (int got = request.body().read(buffer); got >= 0; got = request.body().read(buffer)) {
      count += got;
      buffer.clear();
    }
    return S3Response.xml(200, Long.toString(count));
  }

  private void await() throws IOException {
    try {
      assertThat(mayRead.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private void awaitOpen(int count) throws InterruptedException {
    for (int i = 0; i < 500 && seen.open.get() != count; i++) {
      Thread.sleep(10);
    }
    assertThat(seen.open.get()).isEqualTo(count);
  }

  private RawClient client() throws IOException {
    return new RawClient(port, HttpLab.KEY, HttpLab.SECRET);
  }

  private static void head(RawClient client, String target, int length) throws IOException {
    Headers headers = Headers.of("content-length", Integer.toString(length));
    client.sendHead("PUT", target, headers, Headers.EMPTY);
  }

  private static void sendQuietly(RawClient client, int bytes) {
    try {
      for (int sent = 0; sent < bytes; sent += 1 << 14) {
        client.send("x".repeat(1 << 14));
      }
    } catch (IOException e) {
      // The test sees it in what the client receives.
      Thread.currentThread().interrupt();
    }
  }
}
