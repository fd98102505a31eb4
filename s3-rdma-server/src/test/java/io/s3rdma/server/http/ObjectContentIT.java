package io.s3rdma.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers whose bytes lie in many places. */
class ObjectContentIT {
  private static final int PIECE = 1000;
  private static final byte[] OBJECT = random(10_500);

  @TempDir Path directory;
  private final Queue<ScatteredContent> contents = new ConcurrentLinkedQueue<>();
  private HttpServer server;
  private RawClient client;

  private interface Spoiling {
    void apply(ScatteredContent content) throws IOException;
  }

  private Spoiling spoiling = content -> {};
  private byte[] object = OBJECT;
  private int pieceBytes = PIECE;

  @BeforeEach
  void start() throws IOException {
    server = HttpLab.server(this::answer, 4, 16);
    client = new RawClient(server.start().getPort(), HttpLab.KEY, HttpLab.SECRET);
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "0,10500",
    "0,1",
    "999,1",
    "999,2",
    "1000,1000",
    "1500,8000",
    "10499,1",
    "0,0",
    "3999,2001"
  })
  void shouldSendExactlyTheRangeWhenItCrossesSeams(int offset, int length) throws Exception {
    ask(offset, length, "GET");
    byte[] got = client.receiveBytes();

    assertThat(got).isEqualTo(Arrays.copyOfRange(OBJECT, offset, offset + length));
    assertClosedOnce();
  }

  @Test
  void shouldAnswerInOrderWhenPipelined() throws Exception {
    int requests = 40;
    for (int i = 0; i < requests; i++) {
      ask(i * 250, 500, i % 5 == 4 ? "HEAD" : "GET");
    }
    for (int i = 0; i < requests; i++) {
      if (i % 5 == 4) {
        assertThat(client.receive(false).headers().first("content-length")).contains("500");
      } else {
        byte[] expected = Arrays.copyOfRange(OBJECT, i * 250, i * 250 + 500);
        assertThat(client.receiveBytes()).isEqualTo(expected);
      }
    }
    assertThat(contents).hasSize(requests);
    assertClosedOnce();
  }

  @Test
  void shouldCloseConnectionWhenRegionIsLost() throws Exception {
    spoiling = content -> content.lose(5);
    ask(0, OBJECT.length, "GET");

    assertThatThrownBy(client::receiveBytes).hasMessageContaining("after 5000 bytes");
    assertClosedOnce();
  }

  @Test
  void shouldCloseConnectionWhenFileIsShort() throws Exception {
    spoiling = content -> content.cut(5);
    ask(0, OBJECT.length, "GET");

    // What follows the gap is not the object's byte 5999, so it may not be sent.
    assertThatThrownBy(client::receiveBytes).hasMessageContaining("after 5999 bytes");
    assertClosedOnce();
  }

  @Test
  void shouldCloseContentWhenClientGoesAway() throws Exception {
    object = random(64 << 20);
    pieceBytes = 8 << 20;
    ask(0, object.length, "GET");
    client.receive(false);
    client.close();

    assertClosedOnce();
    assertThat(contents.element().regions.get()).isLessThan(20);
  }

  @Test
  void shouldNotReadAheadWhenClientIsSlow() throws Exception {
    object = random(64 << 20);
    pieceBytes = 4 << 20;
    ask(0, object.length, "GET");
    client.receive(false);
    Thread.sleep(300); // what would be read ahead would be read by now
    ScatteredContent content = contents.element();
    assertThat(content.regions.get()).isLessThan(40);
    assertThat(content.closes.get()).isZero();
  }

  private void ask(int offset, int length, String method) throws IOException {
    String target = "/special/x?offset=" + offset + "&length=" + length;
    client.sendHead(method, target, Headers.EMPTY, Headers.EMPTY);
  }

  private S3Response answer(S3Request request) throws IOException {
    ScatteredContent content = new ScatteredContent(object, pieceBytes, directory);
    contents.add(content);
    spoiling.apply(content);
    long offset = Long.parseLong(request.query("offset").orElseThrow());
    long length = Long.parseLong(request.query("length").orElseThrow());
    return S3Response.of(200).withContent(content, offset, length);
  }

  private void assertClosedOnce() throws InterruptedException {
    for (ScatteredContent content : contents) {
      assertThat(content.closed.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(content.closes.get()).isEqualTo(1);
    }
  }

  private static byte[] random(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }
}
