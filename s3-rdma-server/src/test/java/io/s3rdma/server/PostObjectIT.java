package io.s3rdma.server;

import static io.s3rdma.server.RawCalls.code;
import static io.s3rdma.server.RawCalls.element;
import static io.s3rdma.server.RawCalls.header;
import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.server.http.RawClient;
import io.s3rdma.server.http.RawClient.Answer;
import io.s3rdma.server.http.TestForm;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
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

/** Uploads by a form, as browsers send them, through the socket. */
class PostObjectIT {
  static final String BUCKET = "{\"bucket\":\"forms\"}";
  static final String ANY_KEY = "[\"starts-with\",\"$key\",\"\"]";
  private static final String MD5_OF_CONTENT = "mgNkuembtIDdJeHwKEyFVQ==";

  @TempDir static Path directory;
  private static TestServer server;
  private RawCalls calls;
  private RawClient browser;

  @BeforeAll
  static void start() throws IOException {
    server = TestServer.start(directory, Map.of("http.host-suffixes", List.of("s3.test")));
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

  @AfterEach
  void close() throws IOException {
    calls.close();
    browser.close();
  }

  static String soon() {
    return Instant.now().plusSeconds(60).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** Signed for the bucket, the key and further conditions, which begin with a comma. */
  static TestForm signed(String key, String conditions) {
    return new TestForm()
        .field("key", key)
        .signV4(
            TestServer.ACCESS_KEY,
            TestServer.SECRET_KEY,
            soon(),
            BUCKET + "," + ANY_KEY + conditions);
  }

  private Answer get(String key) throws IOException {
    return calls.call("GET", "/forms/" + key);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldStoreAllThatTheFormSaysWhenPolicyIsSigned(boolean v4) throws IOException {
    String conditions =
        BUCKET
            + ",[\"starts-with\",\"$key\",\"user/\"],{\"acl\":\"private\"},"
            + "[\"starts-with\",\"$Content-Type\",\"text/\"],{\"Cache-Control\":\"no-store\"},"
            + "[\"starts-with\",\"$x-amz-meta-who\",\"\"],[\"starts-with\",\"$tagging\",\"\"],"
            + "{\"x-amz-storage-class\":\"STANDARD\"},[\"content-length-range\",7,7]";
    TestForm form = new TestForm().field("KEY", "user/größe.txt").field("acl", "private");
    form.field("Content-Type", "text/plain").field("Cache-Control", "no-store");
    form.field("x-amz-meta-Who", "Jürgen").field("x-amz-storage-class", "STANDARD");
    form.field(
        "tagging",
        "<Tagging><TagSet><Tag><Key>a b</Key><Value>x+y&amp;z=ü</Value></Tag></TagSet></Tagging>"
            .replace("&amp;", "/"));
    if (v4) {
      form.signV4(TestServer.ACCESS_KEY, TestServer.SECRET_KEY, soon(), conditions);
    } else {
      form.signV2(TestServer.ACCESS_KEY, TestServer.SECRET_KEY, soon(), conditions);
    }

    Answer posted = form.file("x", "content").post(browser, "/forms");
    Answer read = get("user/gr%C3%B6%C3%9Fe.txt");

    assertThat(posted.status()).isEqualTo(204);
    assertThat(posted.body()).isEmpty();
    assertThat(header(posted, "location")).isEqualTo("/forms/user/gr%C3%B6%C3%9Fe.txt");
    assertThat(read.body()).isEqualTo("content");
    assertThat(header(posted, "etag")).isEqualTo(header(read, "etag"));
    assertThat(header(read, "content-type")).isEqualTo("text/plain");
    assertThat(header(read, "cache-control")).isEqualTo("no-store");
    assertThat(header(read, "x-amz-meta-who")).isEqualTo("JÃ¼rgen");
    assertThat(calls.call("GET", "/forms/user/gr%C3%B6%C3%9Fe.txt?tagging").body())
        .contains("<Key>a b</Key><Value>x+y/z=ü</Value>");
  }

  @ParameterizedTest
  @CsvSource({"200, 200", "201, 201", "204, 204", "404, 204", "'', 204", "2000, 204"})
  void shouldAnswerAsAskedWhenStored(String asked, int status) throws IOException {
    TestForm form =
        signed("answer", ",[\"starts-with\",\"$success_action_status\",\"\"]")
            .field("success_action_status", asked);
    Answer answer = form.file("f", "content").post(browser, "/forms");

    assertThat(answer.status()).isEqualTo(status);
    assertThat(header(answer, "etag")).isNotEmpty();
    if (status == 201) {
      assertThat(answer.body()).contains("<PostResponse>").contains("/forms/answer</Location>");
      assertThat(element(answer, "Bucket")).isEqualTo("forms");
      assertThat(element(answer, "Key")).isEqualTo("answer");
      assertThat(element(answer, "ETag").replace("&quot;", "\"")).isEqualTo(header(answer, "etag"));
    } else {
      assertThat(answer.body()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "https://app.example/done, https://app.example/done?Q",
    "http://app.example/done?a=b, http://app.example/done?a=b&Q",
    "https://app.example/done#top, https://app.example/done?Q#top",
    "javascript:alert(1), ''",
    "/elsewhere, ''",
    "https:///nohost, ''",
    "'not a url', ''",
  })
  void shouldRedirectWhenAskedForAnAddress(String asked, String expected) throws IOException {
    TestForm form =
        signed("re direct", ",[\"starts-with\",\"$success_action_redirect\",\"\"]")
            .field("success_action_redirect", asked);
    Answer answer = form.file("f", "content").post(browser, "/forms");

    if (expected.isEmpty()) {
      assertThat(answer.status()).isEqualTo(204);
    } else {
      String etag = header(answer, "etag").replace("\"", "%22");
      String query = "bucket=forms&key=re%20direct&etag=" + etag;
      assertThat(answer.status()).isEqualTo(303);
      assertThat(header(answer, "location")).isEqualTo(expected.replace("Q", query));
    }
    assertThat(get("re%20direct").body()).isEqualTo("content");
  }

  @ParameterizedTest
  @CsvSource({
    "photo.png, up/photo.png",
    "C:\\fakepath\\photo 2.png, up/photo%202.png",
    "/home/me/übung.png, up/%C3%BCbung.png",
    "'', up/",
  })
  void shouldNameTheObjectWhenFieldAsksForTheFileName(String sent, String key) throws IOException {
    TestForm form =
        signed("up/${filename}", ",[\"starts-with\",\"$x-amz-meta-as\",\"\"]")
            .field("x-amz-meta-as", "<${filename}>");

    assertThat(form.file(sent, sent).post(browser, "/forms").status()).isEqualTo(204);
    Answer read = get(key);
    assertThat(read.status()).isEqualTo(200);
    assertThat(header(read, "x-amz-meta-as")).startsWith("<").doesNotContain("/", "\\", "$");
  }

  @ParameterizedTest
  @CsvSource({
    "x-amz-checksum-sha256, 7XACtDnprIRfIjV9giusFERzD722AW0+yUMil7nsn3M=, 204, ''",
    "x-amz-checksum-sha256, sailorjerry, 400, BadDigest",
    "x-amz-checksum-crc32, AAAAAA==, 400, BadDigest",
    "Content-MD5, " + MD5_OF_CONTENT + ", 204, ''",
    "Content-MD5, AAAAAAAAAAAAAAAAAAAAAA==, 400, BadDigest",
  })
  void shouldVerifyWhenFormTellsAChecksum(String name, String sum, int status, String code)
      throws IOException {
    String key = "sum-" + status + "-" + sum.length() + name;
    String more = ",[\"starts-with\",\"$content-md5\",\"\"]";
    Answer answer = signed(key, more).field(name, sum).file("f", "content").post(browser, "/forms");

    assertThat(answer.status()).isEqualTo(status);
    assertThat(code(answer)).isEqualTo(code);
    assertThat(get(key).status()).isEqualTo(status == 204 ? 200 : 404);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 6, EntityTooLarge",
    "0, 0, EntityTooLarge",
    "8, 100, EntityTooSmall",
    "100000, 200000, EntityTooSmall",
    "7, 7, ''",
  })
  void shouldStoreNothingWhenLengthIsNotAllowed(long min, long max, String code)
      throws IOException {
    String key = "length-" + min + "-" + max;
    TestForm form = signed(key, ",[\"content-length-range\"," + min + "," + max + "]");
    Answer answer = form.file("f", "content").post(browser, "/forms");

    assertThat(code(answer)).isEqualTo(code);
    assertThat(answer.status()).isEqualTo(code.isEmpty() ? 204 : 400);
    assertThat(get(key).status()).isEqualTo(code.isEmpty() ? 200 : 404);
  }

  @Test
  void shouldRefuseBeforeTheFileComesWhenItMustBeTooLarge() throws IOException {
    TestForm form = signed("early", ",[\"content-length-range\",0,1000000]").file("f", "begin");
    browser.send(
        "POST /forms HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
            + TestForm.contentType()
            + "\r\nContent-Length: 9000000000\r\n\r\n"
            + form.unfinished());

    assertThat(code(browser.receive())).isEqualTo("EntityTooLarge");
  }

  @Test
  void shouldIgnoreWhatFollowsWhenFileIsThere() throws IOException {
    TestForm form = signed("first", "").file("f", "content").field("submit", "Upload");
    Answer first = form.field("key", "second").file("g", "other").post(browser, "/forms");
    // The connection goes on behind it.
    Answer next = signed("next", "").file("f", "more").post(browser, "/forms");

    assertThat(first.status()).isEqualTo(204);
    assertThat(next.status()).isEqualTo(204);
    assertThat(get("first").body()).isEqualTo("content");
    assertThat(get("second").status()).isEqualTo(404);
    assertThat(get("next").body()).isEqualTo("more");
  }

  @Test
  void shouldStoreWhenFormComesInChunksOfHttp() throws IOException {
    String content = "0123456789abcdef\r\n".repeat(100_000);
    String body = signed("chunked", "").file("f", content).body();
    browser.send(
        "POST /forms HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
            + TestForm.contentType()
            + "\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (int at = 0; at < body.length(); at += 70_001) {
      String chunk = body.substring(at, Math.min(body.length(), at + 70_001));
      browser.send(Integer.toHexString(chunk.length()) + "\r\n" + chunk + "\r\n");
    }
    browser.send("0\r\n\r\n");

    assertThat(browser.receive().status()).isEqualTo(204);
    assertThat(get("chunked").body()).isEqualTo(content);
  }

  @Test
  void shouldStoreWhenHostNamesTheBucket() throws IOException {
    String body = signed("by-host", "").file("f", "content").body();
    browser.send(
        "POST / HTTP/1.1\r\nHost: forms.s3.test\r\nContent-Type: "
            + TestForm.contentType()
            + "\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body);
    Answer answer = browser.receive();

    assertThat(answer.status()).isEqualTo(204);
    assertThat(header(answer, "location")).isEqualTo("/by-host");
    assertThat(get("by-host").body()).isEqualTo("content");
  }

  @Test
  void shouldStateTheVersionWhenBucketHasVersions() throws IOException {
    assertThat(calls.send("PUT", "/versions", "").status()).isEqualTo(200);
    calls.send(
        "PUT",
        "/versions?versioning",
        "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>");
    TestForm form = new TestForm().field("key", "k");
    form.signV4(
        TestServer.ACCESS_KEY,
        TestServer.SECRET_KEY,
        soon(),
        "{\"bucket\":\"versions\"},{\"key\":\"k\"}");
    Answer answer = form.file("f", "content").post(browser, "/versions");

    String version = header(answer, "x-amz-version-id");
    assertThat(version).isNotEmpty();
    assertThat(calls.call("GET", "/versions/k?versionId=" + version).body()).isEqualTo("content");
  }

  @Test
  void shouldLetAPageReadTheAnswerWhenCorsAllowsIt() throws IOException {
    calls.send(
        "PUT",
        "/forms?cors",
        "<CORSConfiguration><CORSRule><AllowedOrigin>https://a.example</AllowedOrigin>"
            + "<AllowedMethod>POST</AllowedMethod></CORSRule></CORSConfiguration>");
    String[] origin = {"Origin", "https://a.example"};
    Answer stored = signed("cors", "").file("f", "content").post(browser, "/forms", origin);
    Answer refused = new TestForm().file("f", "content").post(browser, "/forms", origin);

    assertThat(stored.status()).isEqualTo(204);
    assertThat(refused.status()).isEqualTo(403);
    for (Answer answer : new Answer[] {stored, refused}) {
      assertThat(header(answer, "access-control-allow-origin")).isEqualTo("https://a.example");
    }
  }
}
