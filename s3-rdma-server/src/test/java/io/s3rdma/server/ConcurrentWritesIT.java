package io.s3rdma.server;

import static io.s3rdma.server.RawCalls.element;
import static io.s3rdma.server.RawCalls.header;
import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.server.http.RawClient.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many clients on one key. */
class ConcurrentWritesIT {
  private static final int WRITERS = 32;
  private static final int ROUNDS = 150;

  @TempDir static Path directory;
  private static TestServer server;

  @BeforeAll
  static void start() throws IOException {
    server = TestServer.start(directory);
    try (RawCalls calls = new RawCalls(server)) {
      calls.send("PUT", "/many", "");
    }
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  /** s3-bugs 36. */
  @RepeatedTest(5)
  void shouldLetOneWinWhenAllPutTheFirst() throws Exception {
    try (RawCalls calls = new RawCalls(server)) {
      calls.call("DELETE", "/many/put");
    }
    List<Answer> answers =
        atOnce(
            number -> {
              RawCalls calls = new RawCalls(server);
              return () -> {
                try (calls) {
                  return calls.send("PUT", "/many/put", "writer " + number, "if-none-match", "*");
                }
              };
            });

    try (RawCalls calls = new RawCalls(server)) {
      int winner = winner(answers);
      assertThat(calls.call("GET", "/many/put").body()).isEqualTo("writer " + winner);
    }
  }

  @Test
  void shouldLetOneWinWhenAllCompleteTheFirst() throws Exception {
    List<Answer> answers =
        atOnce(
            number -> {
              RawCalls calls = new RawCalls(server);
              String target = "/many/complete";
              String id = element(calls.send("POST", target + "?uploads", ""), "UploadId");
              Answer part =
                  calls.send("PUT", target + "?partNumber=1&uploadId=" + id, "writer " + number);
              String document =
                  "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>"
                      + header(part, "etag")
                      + "</ETag></Part></CompleteMultipartUpload>";
              return () -> {
                try (calls) {
                  return calls.send(
                      "POST", target + "?uploadId=" + id, document, "if-none-match", "*");
                }
              };
            });

    try (RawCalls calls = new RawCalls(server)) {
      int winner = winner(answers);
      assertThat(calls.call("GET", "/many/complete").body()).isEqualTo("writer " + winner);
    }
  }

  /** Exactly one 200; the others hear why. */
  private static int winner(List<Answer> answers) {
    List<Integer> winners = new ArrayList<>();
    for (int i = 0; i < answers.size(); i++) {
      if (answers.get(i).status() == 200) {
        winners.add(i);
      } else {
        assertThat(answers.get(i).status()).isIn(412, 409);
      }
    }
    assertThat(winners).hasSize(1);
    return winners.get(0);
  }

  /** Headers and bytes are of one version, whatever is written meanwhile (s3-bugs 38). */
  @Test
  void shouldReadOneVersionWhenItIsOverwritten() throws Exception {
    try (RawCalls calls = new RawCalls(server);
        ExecutorService pool = Executors.newFixedThreadPool(6)) {
      put(calls, 0);
      Future<?> writer =
          pool.submit(
              () -> {
                try (RawCalls writes = new RawCalls(server)) {
                  for (int i = 1; i <= ROUNDS; i++) {
                    put(writes, i);
                  }
                }
                return null;
              });
      List<Future<Integer>> readers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        readers.add(pool.submit(() -> readUntil(writer)));
      }
      writer.get();
      for (Future<Integer> reader : readers) {
        assertThat(reader.get()).isPositive();
      }
    }
  }

  /** Versions differ in size and in content; some lie inline and some in files. */
  private static void put(RawCalls calls, int version) throws IOException {
    String content = content(version);
    Answer answer =
        calls.send("PUT", "/many/over", content, "x-amz-meta-version", Integer.toString(version));
    assertThat(answer.status()).isEqualTo(200);
  }

  private static String content(int version) {
    return (char) ('a' + version % 26) + "x".repeat(version % 2 == 0 ? 256 : 100_000 + version);
  }

  private static int readUntil(Future<?> writer) throws IOException {
    int reads = 0;
    try (RawCalls calls = new RawCalls(server)) {
      while (!writer.isDone() || reads == 0) {
        Answer whole = calls.call("GET", "/many/over");
        requireOneVersion(whole);
        Answer first =
            calls.call(
                "GET", "/many/over", "range", "bytes=0-9", "if-match", header(whole, "etag"));
        Answer last =
            calls.call("GET", "/many/over", "range", "bytes=-7", "if-match", header(whole, "etag"));
        requirePieceOf(whole, first, whole.body().substring(0, 10));
        requirePieceOf(whole, last, whole.body().substring(whole.body().length() - 7));
        reads++;
      }
    }
    return reads;
  }

  private static void requireOneVersion(Answer whole) {
    assertThat(whole.status()).isEqualTo(200);
    int version = Integer.parseInt(header(whole, "x-amz-meta-version"));
    assertThat(whole.body().equals(content(version))).as("version " + version).isTrue();
  }

  private static void requirePieceOf(Answer whole, Answer piece, String wanted) {
    if (piece.status() != 412) {
      assertThat(piece.status()).isEqualTo(206);
      assertThat(header(piece, "x-amz-meta-version"))
          .isEqualTo(header(whole, "x-amz-meta-version"));
      assertThat(piece.body()).isEqualTo(wanted);
    }
  }

  /** Prepares what one writer does. */
  private interface Writer {
    Callable<Answer> prepare(int number) throws IOException;
  }

  private static List<Answer> atOnce(Writer writer) throws Exception {
    CyclicBarrier barrier = new CyclicBarrier(WRITERS);
    try (ExecutorService pool = Executors.newFixedThreadPool(WRITERS)) {
      List<Future<Answer>> running = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        Callable<Answer> ready = writer.prepare(i);
        running.add(
            pool.submit(
                () -> {
                  barrier.await();
                  return ready.call();
                }));
      }
      List<Answer> answers = new ArrayList<>();
      for (Future<Answer> future : running) {
        answers.add(future.get());
      }
      return answers;
    }
  }
}
