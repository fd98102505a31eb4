package io.s3rdma.server;

import static io.s3rdma.server.PostObjectIT.signed;
import static io.s3rdma.server.RawCalls.code;
import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.server.http.RawClient;
import io.s3rdma.server.http.RawClient.Answer;
import io.s3rdma.server.http.TestForm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Forms that no browser sends: a clear refusal, nothing stored, nothing left behind. */
class PostObjectHostileIT {
  private static final String LARGE = "0123456789\r\n--".repeat(10_000);
  private static final int OPERATION_THREADS = 4;

  @TempDir static Path directory;
  private static TestServer server;
  private RawCalls calls;
  private RawClient browser;

  @BeforeAll
  static void start() throws IOException {
    server =
        TestServer.start(
            directory,
            Map.of(
                "http.operation-threads",
                OPERATION_THREADS,
                "http.body-bytes-per-second-min",
                1000,
                "http.body-rate-window-seconds",
                1));
    try (RawCalls calls = new RawCalls(server)) {
      assertThat(calls.send("PUT", "/forms", "").status()).isEqualTo(200);
    }
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  @BeforeEach
  void open() throws IOException {
    calls = new RawCalls(server);
    browser = new RawClient(server.port(), "", "");
  }

  /** Whatever the test sent, there is no object, no file, and a server that serves. */
  @AfterEach
  void nothingIsLeft() throws IOException {
    assertThat(calls.call("GET", "/forms").body()).doesNotContain("<Contents>");
    assertThat(StoredFiles.of(directory)).isZero();
    calls.close();
    browser.close();
  }

  private void assertRefused(String body, String code) throws IOException {
    Answer answer = TestForm.send(browser, "/forms", body);
    assertThat(code(answer)).isEqualTo(code);
    assertThat(answer.status()).isBetween(400, 501);
  }

  @Test
  void shouldRefuseWhenLastBoundaryIsMissing() throws IOException {
    TestForm form = signed("k", "").file("f", LARGE);

    assertRefused(form.unfinished(), "MalformedPOSTRequest");
    assertRefused(form.unfinished() + "--" + TestForm.BOUNDARY, "MalformedPOSTRequest");
    assertRefused(form.unfinished() + "--" + TestForm.BOUNDARY + "-", "MalformedPOSTRequest");
    assertRefused(form.unfinished() + "--" + TestForm.BOUNDARY + "x\r\n", "MalformedPOSTRequest");
  }

  @Test
  void shouldStoreNothingWhenConnectionEndsInTheFile() throws IOException {
    String body = signed("k", "").file("f", LARGE).body();
    List<RawClient> clients = new ArrayList<>();
    for (int i = 0; i < 3 * OPERATION_THREADS; i++) {
      RawClient client = new RawClient(server.port(), "", "");
      clients.add(client);
      client.send(
          "POST /forms HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
              + TestForm.contentType()
              + "\r\nContent-Length: "
              + body.length()
              + "\r\n\r\n"
              + body.substring(0, body.length() * (i + 1) / (3 * OPERATION_THREADS + 1)));
    }
    for (RawClient client : clients) {
      client.close();
    }
    // All threads are free again, or this would not be answered.
    assertThat(calls.send("PUT", "/forms/after", "x").status()).isEqualTo(200);
    assertThat(calls.call("DELETE", "/forms/after").status()).isEqualTo(204);
    await(() -> StoredFiles.of(directory) == 0);
  }

  @Test
  void shouldGiveUpWhenFormComesSlowly() throws IOException {
    String body = signed("k", "").file("f", LARGE).body();
    for (int sent : new int[] {10, body.indexOf(LARGE) + 50_000}) {
      try (RawClient slow = new RawClient(server.port(), "", "")) {
        slow.send(
            "POST /forms HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                + TestForm.contentType()
                + "\r\nContent-Length: "
                + body.length()
                + "\r\n\r\n"
                + body.substring(0, sent));
        assertThat(code(slow.receive())).isEqualTo("RequestTimeout");
      }
    }
  }

  @Test
  void shouldRefuseWhenThereIsNoFile() throws IOException {
    assertRefused(signed("k", "").body(), "InvalidArgument");
    assertRefused(new TestForm().body(), "InvalidArgument");
    assertRefused(
        signed("k", "").part("name=\"files\"; filename=\"f\"", "x").body(), "InvalidArgument");
    assertRefused("", "MalformedPOSTRequest");
  }

  @Test
  void shouldMissTheFieldsWhenFileStandsBeforeThem() throws IOException {
    TestForm fields = signed("k", "");

    assertRefused(new TestForm().file("f", LARGE).raw(fields.unfinished()).body(), "AccessDenied");
    String all = fields.unfinished();
    int second = all.indexOf("--" + TestForm.BOUNDARY, 1);
    String withoutKey = all.substring(second);
    assertRefused(
        new TestForm().raw(withoutKey).file("f", LARGE).field("key", "k").body(),
        "InvalidArgument");
  }

  @ParameterizedTest
  @CsvSource({"key", "KEY", "policy", "x-amz-signature", "X-Amz-Date", "x-ignore-me"})
  void shouldRefuseWhenFieldComesTwice(String name) throws IOException {
    TestForm form = signed("k", "").field("x-ignore-me", "a").field(name, "k");

    assertRefused(form.file("f", LARGE).body(), "InvalidArgument");
  }

  @Test
  void shouldRefuseWhenFieldsAreHugeOrThousands() throws IOException {
    TestForm many = signed("k", "");
    for (int i = 0; i < 5000; i++) {
      many.field("x-ignore-" + i, "");
    }
    TestForm some = signed("k", "");
    for (int i = 0; i < 300; i++) {
      some.part("name=x-ignore-" + i, "");
    }

    assertRefused(many.file("f", LARGE).body(), "MaxPostPreDataLengthExceeded");
    assertRefused(some.file("f", LARGE).body(), "MaxPostPreDataLengthExceeded");
    assertRefused(
        signed("k", "").field("x-ignore-it", LARGE).file("f", LARGE).body(),
        "MaxPostPreDataLengthExceeded");
    assertRefused("x".repeat(5_000_000), "MaxPostPreDataLengthExceeded");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x-amz-meta-a\u0000",
        "x-amz-meta-a\r\nx-injected: b",
        "x-amz-meta-a\nb",
        "x-amz-meta-\u007f",
        "x-amz-meta-\u00ff",
      })
  void shouldRefuseWhenNameHoldsControlCharacters(String name) throws IOException {
    TestForm form = signed("k", ",[\"starts-with\",\"$x-amz-meta-a\",\"\"]");

    assertRefused(
        form.part("name=\"" + name + "\"", "v").file("f", LARGE).body(), "MalformedPOSTRequest");
  }

  @ParameterizedTest
  @CsvSource({
    "x-amz-meta-a, 'b\r\nSet-Cookie: c', InvalidArgument",
    "x-amz-meta-a, 'b\u0000', InvalidArgument",
    "x-amz-meta-a b, c, InvalidArgument",
    "Content-Type, 'text/plain\nx: y', InvalidArgument",
    "acl, unknown-acl, InvalidArgument",
    "x-amz-storage-class, NONE, InvalidStorageClass",
    "x-amz-copy-source, /forms/other, NotImplemented",
    "x-amz-rdma-token, rc:1, NotImplemented",
    "x-amz-content-sha256, STREAMING-UNSIGNED-PAYLOAD-TRAILER, NotImplemented",
    "x-amz-tagging, a=b, NotImplemented",
    "tagging, a=b, MalformedXML",
    "tagging, <Tagging><TagSet/><Other/></Tagging>, MalformedXML",
  })
  void shouldRefuseWhenFieldCannotBeKept(String name, String value, String code)
      throws IOException {
    String condition = ",[\"starts-with\",\"$" + name + "\",\"\"]";

    assertRefused(signed("k", condition).field(name, value).file("f", LARGE).body(), code);
  }

  @Test
  void shouldRefuseWhenFormComesWithAToken() throws IOException {
    String body = signed("k", "").file("f", LARGE).body();
    Answer answer = TestForm.send(browser, "/forms", body, "x-amz-rdma-token", "any");

    assertThat(code(answer)).isEqualTo("InvalidRequest");
  }

  @ParameterizedTest
  @CsvSource({"'', f", "${filename}, ''"})
  void shouldRefuseWhenKeyIsEmpty(String key, String fileName) throws IOException {
    assertRefused(signed(key, "").file(fileName, LARGE).body(), "UserKeyMustBeSpecified");
  }

  @Test
  void shouldRefuseWhenKeyCannotBeOne() throws IOException {
    assertRefused(signed("k".repeat(1025), "").file("f", LARGE).body(), "KeyTooLongError");
    // Nothing but an object can be meant by it.
    String condition = "{\"bucket\":\"-\"},{\"key\":\"metrics\"}";
    TestForm form = new TestForm().field("key", "metrics");
    form.signV4(TestServer.ACCESS_KEY, TestServer.SECRET_KEY, PostObjectIT.soon(), condition);
    Answer answer = form.file("f", "x").post(browser, "/-");
    assertThat(code(answer)).isEqualTo("NoSuchBucket");
  }

  private interface Check {
    boolean holds() throws IOException;
  }

  private static void await(Check check) throws IOException {
    long deadline = System.nanoTime() + 20_000_000_000L;
    while (!check.holds() && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
  }
}
