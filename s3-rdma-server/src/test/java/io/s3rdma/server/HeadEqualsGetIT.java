package io.s3rdma.server;

import static io.s3rdma.server.RawCalls.element;
import static io.s3rdma.server.RawCalls.header;
import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.server.http.RawClient.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** HEAD answers what GET answers, but for the bytes: clients size their reads by it. */
class HeadEqualsGetIT {
  private static final int PART = 5 << 20;
  private static final Set<String> OF_ONE_ANSWER = Set.of("date", "x-amz-request-id");
  private static final Set<String> OF_AN_ERROR_DOCUMENT = Set.of("content-length", "content-type");

  @TempDir static Path directory;
  private static TestServer server;
  private static RawCalls calls;
  private static String etag;
  private static String oldVersion;
  private static String marker;

  @BeforeAll
  static void start() throws IOException {
    server = TestServer.start(directory);
    calls = new RawCalls(server);
    calls.send("PUT", "/head", "");
    calls.send("PUT", "/head/empty", "");
    etag = header(put("small", "0123456789"), "etag");
    put("large", "x".repeat(300_000));
    multipart();
    calls.send("PUT", "/head?versioning", versioning());
    calls.send("PUT", "/head?lifecycle", lifecycle());
    oldVersion = header(put("versions", "old"), "x-amz-version-id");
    put("versions", "newer");
    put("deleted", "x");
    marker = header(calls.call("DELETE", "/head/deleted"), "x-amz-version-id");
  }

  @AfterAll
  static void stop() throws IOException {
    calls.close();
    server.close();
  }

  private static Answer put(String key, String content) throws IOException {
    Answer answer =
        calls.send(
            "PUT",
            "/head/" + key,
            content,
            "content-type",
            "text/plain",
            "content-encoding",
            "gzip",
            "cache-control",
            "no-cache",
            "content-disposition",
            "attachment",
            "content-language",
            "de",
            "expires",
            "never",
            "x-amz-meta-name",
            "value",
            "x-amz-tagging",
            "a=1&b=2");
    assertThat(answer.status()).isEqualTo(200);
    return answer;
  }

  private static void multipart() throws IOException {
    String id =
        element(
            calls.send("POST", "/head/parts?uploads", "", "x-amz-checksum-algorithm", "CRC32"),
            "UploadId");
    StringBuilder document = new StringBuilder("<CompleteMultipartUpload>");
    for (int number = 1; number <= 2; number++) {
      String content = number == 1 ? "p".repeat(PART) : "last";
      Answer part =
          calls.send("PUT", "/head/parts?partNumber=" + number + "&uploadId=" + id, content);
      document.append("<Part><PartNumber>" + number + "</PartNumber><ETag>");
      document.append(header(part, "etag") + "</ETag></Part>");
    }
    Answer done =
        calls.send("POST", "/head/parts?uploadId=" + id, document + "</CompleteMultipartUpload>");
    assertThat(done.status()).isEqualTo(200);
  }

  private static String versioning() {
    return "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>";
  }

  private static String lifecycle() {
    return "<LifecycleConfiguration><Rule><ID>r</ID><Filter><Prefix></Prefix></Filter>"
        + "<Status>Enabled</Status><Expiration><Days>30</Days></Expiration></Rule>"
        + "</LifecycleConfiguration>";
  }

  @ParameterizedTest
  @CsvSource({
    "small, '', '', 200",
    "empty, '', '', 200",
    "large, '', '', 200",
    "parts, '', '', 200",
    "versions, '', '', 200",
    "small, range, bytes=2-4, 206",
    "small, range, bytes=-3, 206",
    "small, range, bytes=0-, 206",
    "small, range, 'bytes=0-1,4-5', 200",
    "small, range, bytes=10-, 416",
    "empty, range, bytes=0-, 416",
    "empty, range, bytes=-1, 200",
    "large, range, bytes=100000-299999, 206",
    "parts, range, bytes=5242878-5242881, 206",
    "parts?partNumber=1, '', '', 206",
    "parts?partNumber=2, '', '', 206",
    "parts?partNumber=3, '', '', 400",
    "small?partNumber=1, '', '', 206",
    "empty?partNumber=1, '', '', 200",
    "small?partNumber=1, range, bytes=0-1, 400",
    "versions?versionId=OLD, '', '', 200",
    "versions?versionId=OLD, range, bytes=0-1, 206",
    "versions?versionId=none, '', '', 404",
    "small?versionId=null, '', '', 200",
    "deleted, '', '', 404",
    "deleted?versionId=MARKER, '', '', 405",
    "none, '', '', 404",
    "small, if-match, ETAG, 200",
    "small, if-match, other, 412",
    "small, if-none-match, ETAG, 304",
    "small, if-none-match, other, 200",
    "small, if-modified-since, 'Fri, 01 Jan 2100 00:00:00 GMT', 304",
    "small, if-unmodified-since, 'Thu, 01 Jan 1998 00:00:00 GMT', 412",
    "small?response-content-type=a%2Fb&response-expires=now, '', '', 200",
    "small?response-cache-control=x&response-content-encoding=y, range, bytes=0-1, 206",
    "small, x-amz-server-side-encryption-customer-key, x, 400",
  })
  void shouldAnswerTheSameHeadersWhenBytesAreLeftOut(
      String target, String name, String value, int status) throws IOException {
    String path = "/head/" + target.replace("OLD", oldVersion).replace("MARKER", marker);
    List<String> headers = new ArrayList<>(List.of("x-amz-checksum-mode", "ENABLED"));
    if (!name.isEmpty()) {
      headers.addAll(List.of(name, value.replace("ETAG", etag)));
    }
    Answer got = calls.call("GET", path, headers.toArray(String[]::new));
    Answer head = calls.call("HEAD", path, headers.toArray(String[]::new));

    assertThat(got.status()).isEqualTo(status);
    assertThat(head.status()).isEqualTo(status);
    assertThat(comparable(head)).isEqualTo(comparable(got));
    if (status < 300) {
      assertThat(header(head, "content-length")).isEqualTo("" + got.body().length());
      assertThat(head.headers().names()).contains("etag", "last-modified", "accept-ranges");
    }
  }

  private static Map<String, List<String>> comparable(Answer answer) {
    Map<String, List<String>> headers = new TreeMap<>();
    for (String name : answer.headers().names()) {
      boolean ofDocument = answer.status() >= 400 && OF_AN_ERROR_DOCUMENT.contains(name);
      if (!OF_ONE_ANSWER.contains(name) && !ofDocument) {
        headers.put(name, answer.headers().all(name));
      }
    }
    return headers;
  }
}
