package io.s3rdma.server;

import static io.s3rdma.server.RawCalls.code;
import static io.s3rdma.server.RawCalls.element;
import static io.s3rdma.server.RawCalls.header;
import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.server.http.RawClient.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranges, conditions and checksums on reads, as no SDK sends them. */
class RawReadIT {
  private static final String TEN = "0123456789";
  private static final String LONG_AGO = "Thu, 01 Jan 1998 00:00:00 GMT";
  private static final String FAR_AHEAD = "Fri, 01 Jan 2100 00:00:00 GMT";

  @TempDir static Path directory;
  private static TestServer server;
  private static RawCalls calls;
  private static String etag;

  @BeforeAll
  static void start() throws IOException {
    server = TestServer.start(directory);
    calls = new RawCalls(server);
    calls.send("PUT", "/read", "");
    calls.send("PUT", "/read/0", "");
    calls.send("PUT", "/read/1", "0");
    etag = header(calls.send("PUT", "/read/10", TEN, "x-amz-checksum-crc32", "poTHxg=="), "etag");
  }

  @AfterAll
  static void stop() throws IOException {
    calls.close();
    server.close();
  }

  /** A bad range does not count; one behind the end is 416 with the size (s3-bugs 33). */
  @ParameterizedTest
  @CsvSource({
    "0, bytes=0-, 416, ''",
    "0, bytes=0-0, 416, ''",
    "0, bytes=-0, 416, ''",
    "0, bytes=-5, 200, ''",
    "0, bytes=5-4, 200, ''",
    "1, bytes=0-, 206, 0",
    "1, bytes=0-0, 206, 0",
    "1, bytes=1-, 416, ''",
    "1, bytes=-1, 206, 0",
    "1, bytes=-5, 206, 0",
    "1, bytes=-0, 416, ''",
    "10, bytes=0-, 206, 0123456789",
    "10, bytes=0-0, 206, 0",
    "10, bytes=2-4, 206, 234",
    "10, bytes=9-, 206, 9",
    "10, bytes=9-99, 206, 9",
    "10, bytes=10-, 416, ''",
    "10, bytes=-3, 206, 789",
    "10, bytes=-99, 206, 0123456789",
    "10, 'bytes=0-1,3-4', 200, 0123456789",
    "10, bytes=4-2, 200, 0123456789",
    "10, bytes=a-b, 200, 0123456789",
    "10, lines=0-1, 200, 0123456789",
  })
  void shouldSelectWhenRangeIsAsked(int size, String range, int status, String body)
      throws IOException {
    Answer got =
        calls.call("GET", "/read/" + size, "range", range, "x-amz-checksum-mode", "ENABLED");
    Answer head = calls.call("HEAD", "/read/" + size, "range", range);

    assertThat(got.status()).isEqualTo(status);
    assertThat(head.status()).isEqualTo(status);
    if (status == 416) {
      assertThat(code(got)).isEqualTo("InvalidRange");
      assertThat(header(got, "content-range")).isEqualTo("bytes */" + size);
      assertThat(element(got, "ActualObjectSize")).isEqualTo(Integer.toString(size));
      assertThat(element(got, "RangeRequested")).isEqualTo(range);
      return;
    }
    assertThat(got.body()).isEqualTo(body);
    assertThat(header(head, "content-length")).isEqualTo(Integer.toString(body.length()));
    assertThat(header(got, "etag")).isNotEmpty();
    assertThat(got.headers().contains("content-range")).isEqualTo(status == 206);
    assertThat(header(head, "content-range")).isEqualTo(header(got, "content-range"));
    boolean whole = size == 10 && status == 200;
    assertThat(got.headers().contains("x-amz-checksum-crc32")).isEqualTo(whole);
    assertThat(got.headers().contains("x-amz-checksum-type")).isEqualTo(whole);
  }

  /** If-Match beats If-Unmodified-Since, If-None-Match beats If-Modified-Since (s3-bugs 35). */
  @Test
  void shouldDecideWhenConditionsAreCombined() throws IOException {
    String[] match = {
      "", etag, etag.replace("\"", ""), "W/" + etag, "*", "\"x\", " + etag, "\"x\""
    };
    for (String ifMatch : match) {
      for (String ifNoneMatch : match) {
        for (String unmodified : new String[] {"", LONG_AGO, FAR_AHEAD, "no date"}) {
          for (String modified : new String[] {"", LONG_AGO, FAR_AHEAD, "no date"}) {
            requireDecided(ifMatch, ifNoneMatch, unmodified, modified);
          }
        }
      }
    }
  }

  private static void requireDecided(
      String ifMatch, String ifNoneMatch, String unmodified, String modified) throws IOException {
    boolean fails = ifMatch.isEmpty() ? unmodified.equals(LONG_AGO) : ifMatch.equals("\"x\"");
    boolean unchanged =
        ifNoneMatch.isEmpty() ? modified.equals(FAR_AHEAD) : !ifNoneMatch.equals("\"x\"");
    List<String> headers = new ArrayList<>();
    add(headers, "if-match", ifMatch);
    add(headers, "if-none-match", ifNoneMatch);
    add(headers, "if-unmodified-since", unmodified);
    add(headers, "if-modified-since", modified);
    for (String method : List.of("GET", "HEAD")) {
      Answer answer = calls.call(method, "/read/10", headers.toArray(String[]::new));

      assertThat(answer.status())
          .as("%s %s", method, headers)
          .isEqualTo(fails ? 412 : unchanged ? 304 : 200);
      if (answer.status() == 304) {
        assertThat(header(answer, "etag")).isEqualTo(etag);
        assertThat(answer.body()).isEmpty();
      }
    }
  }

  private static void add(List<String> headers, String name, String value) {
    if (!value.isEmpty()) {
      headers.addAll(List.of(name, value));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/read/10?partNumber=1, 206, 0123456789",
    "/read/0?partNumber=1, 200, ''",
  })
  void shouldGiveAllWhenPartOneOfPlainObject(String target, int status, String body)
      throws IOException {
    Answer got = calls.call("GET", target, "x-amz-checksum-mode", "ENABLED");

    assertThat(got.status()).isEqualTo(status);
    assertThat(got.body()).isEqualTo(body);
    assertThat(got.headers().contains("x-amz-mp-parts-count")).isFalse();
    assertThat(header(got, "x-amz-checksum-crc32")).isEqualTo(body.isEmpty() ? "" : "poTHxg==");
    assertThat(header(got, "content-range")).isEqualTo(body.isEmpty() ? "" : "bytes 0-9/10");
  }

  @ParameterizedTest
  @CsvSource({
    "/read/10?partNumber=2, '', 400, InvalidPart",
    "/read/10?partNumber=0, '', 400, InvalidArgument",
    "/read/10?partNumber=x, '', 400, InvalidArgument",
    "/read/10?partNumber=10001, '', 400, InvalidArgument",
    "/read/10?partNumber=1, bytes=0-1, 400, InvalidRequest",
    "/read/10?versionId=, '', 400, InvalidArgument",
    "/read/10?versionId=none, '', 404, NoSuchVersion",
    "/read/none, '', 404, NoSuchKey",
    "/none/none, '', 404, NoSuchBucket",
  })
  void shouldRefuseWhenNothingIsSelected(String target, String range, int status, String code)
      throws IOException {
    String[] headers = range.isEmpty() ? new String[0] : new String[] {"range", range};
    Answer got = calls.call("GET", target, headers);

    assertThat(got.status()).isEqualTo(status);
    assertThat(code(got)).isEqualTo(code);
    assertThat(calls.call("HEAD", target, headers).status()).isEqualTo(status);
  }

  @Test
  void shouldNameNullVersionWhenThereWereNoVersions() throws IOException {
    Answer got = calls.call("GET", "/read/10?versionId=null");

    assertThat(got.body()).isEqualTo(TEN);
    assertThat(got.headers().contains("x-amz-version-id")).isFalse();
  }

  /** The SDK signs a meaningless checksum with a GET (s3-bugs 40). */
  @Test
  void shouldIgnoreChecksumWhenNothingIsStored() throws IOException {
    Answer got =
        calls.call("GET", "/read/10", "x-amz-te", "append-md5", "x-amz-checksum-crc32", "AAAAAA==");

    assertThat(got.body()).isEqualTo(TEN);
    assertThat(got.headers().contains("x-amz-checksum-crc32")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "x-amz-server-side-encryption, 400",
    "x-amz-server-side-encryption-customer-algorithm, 400",
    "x-amz-server-side-encryption-customer-key, 400",
    "x-amz-copy-source-server-side-encryption-customer-key, 400",
    "x-amz-server-side-encryption-aws-kms-key-id, 501"
  })
  void shouldRefuseWhenReadNeedsWhatIsNotThere(String name, int status) throws IOException {
    for (String target : new String[] {"/read/10", "/read/10?attributes"}) {
      assertThat(calls.call("GET", target, name, "x").status()).isEqualTo(status);
    }
    assertThat(calls.call("HEAD", "/read/10", name, "x").status()).isEqualTo(status);
  }

  @Test
  void shouldAnswerAttributesWhenListHasAnyOrder() throws IOException {
    String[] names = {"ETag", "Checksum", "ObjectSize", "StorageClass", "ObjectParts"};
    for (int first = 0; first < names.length; first++) {
      for (int second = 0; second < names.length; second++) {
        Answer listed =
            calls.call(
                "GET",
                "/read/10?attributes",
                "x-amz-object-attributes",
                names[first] + ", " + names[second]);

        assertThat(listed.status()).isEqualTo(200);
        List<String> asked = List.of(names[first], names[second]);
        assertThat(element(listed, "ETag").isEmpty()).isEqualTo(!asked.contains("ETag"));
        assertThat(element(listed, "ChecksumCRC32"))
            .isEqualTo(asked.contains("Checksum") ? "poTHxg==" : "");
        assertThat(element(listed, "ObjectSize"))
            .isEqualTo(asked.contains("ObjectSize") ? "10" : "");
        assertThat(element(listed, "StorageClass"))
            .isEqualTo(asked.contains("StorageClass") ? "STANDARD" : "");
        assertThat(listed.body()).doesNotContain("ObjectParts");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Size", "ETag,", "etag"})
  void shouldRefuseWhenAttributeIsNotKnown(String names) throws IOException {
    Answer answer = calls.call("GET", "/read/10?attributes", "x-amz-object-attributes", names);

    assertThat(code(answer)).isEqualTo("InvalidArgument");
    assertThat(code(calls.call("GET", "/read/10?attributes"))).isEqualTo("InvalidArgument");
  }
}
