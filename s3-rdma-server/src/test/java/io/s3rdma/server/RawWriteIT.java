package io.s3rdma.server;

import static io.s3rdma.server.RawCalls.code;
import static io.s3rdma.server.RawCalls.element;
import static io.s3rdma.server.RawCalls.header;
import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.server.http.RawClient.Answer;
import io.s3rdma.server.http.UriCodec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Headers of PUT and CopyObject, as no SDK sends them. */
class RawWriteIT {
  @TempDir static Path directory;
  private static TestServer server;
  private static RawCalls calls;

  @BeforeAll
  static void start() throws IOException {
    server = TestServer.start(directory);
    calls = new RawCalls(server);
    calls.send("PUT", "/write", "");
  }

  @AfterAll
  static void stop() throws IOException {
    calls.close();
    server.close();
  }

  /** The sums are over "123456789"; what is unknown is refused and never ignored (s3-bugs 16). */
  @ParameterizedTest
  @CsvSource({
    "x-amz-checksum-crc32, y/Q5Jg==, ''",
    "x-amz-checksum-crc32c, 4waSgw==, ''",
    "x-amz-checksum-crc64nvme, rosUhgp5mIg=, ''",
    "x-amz-checksum-sha1, 98O8HYCOBHMq32eZZczDTKeuNEE=, ''",
    "x-amz-checksum-sha256, FeKw08M4keuw8e9gnsQZQgwg4yDOlMZfvIwzEkSOsiU=, ''",
    "x-amz-checksum-crc32, AAAAAA==, BadDigest",
    "x-amz-checksum-sha256, bad, BadDigest",
    "x-amz-checksum-sha512, AAAA, InvalidRequest",
    "x-amz-checksum-md5, JfnnlDI7RTiF9RgfG2JNCw==, InvalidRequest",
    "x-amz-checksum-xxhash64, AAAA, InvalidRequest",
    "x-amz-checksum-xxhash3, AAAA, InvalidRequest",
    "x-amz-checksum-xxhash128, AAAA, InvalidRequest",
    "x-amz-checksum-new, AAAA, InvalidRequest",
    "x-amz-sdk-checksum-algorithm, CRC32, InvalidRequest",
    "x-amz-sdk-checksum-algorithm, XXHASH64, InvalidRequest",
    "content-md5, JfnnlDI7RTiF9RgfG2JNCw==, ''",
    "content-md5, AAAAAAAAAAAAAAAAAAAAAA==, BadDigest",
    "content-md5, AAAA, InvalidDigest",
  })
  void shouldVerifyWhenChecksumIsGiven(String name, String value, String code) throws IOException {
    calls.call("DELETE", "/write/sum");
    Answer put = calls.send("PUT", "/write/sum", "123456789", name, value);
    Answer head = calls.call("HEAD", "/write/sum", "x-amz-checksum-mode", "ENABLED");
    Answer silent = calls.call("HEAD", "/write/sum");

    assertThat(code(put)).isEqualTo(code);
    assertThat(head.status()).isEqualTo(code.isEmpty() ? 200 : 404);
    boolean kept = code.isEmpty() && name.startsWith("x-amz-checksum-");
    assertThat(header(put, name)).isEqualTo(kept ? value : "");
    assertThat(header(head, name)).isEqualTo(kept ? value : "");
    assertThat(header(head, "x-amz-checksum-type")).isEqualTo(kept ? "FULL_OBJECT" : "");
    assertThat(silent.headers().contains(name)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "x-amz-server-side-encryption, aws:kms, 501, NotImplemented",
    "x-amz-server-side-encryption, aws:kms:dsse, 501, NotImplemented",
    "x-amz-server-side-encryption, AES192, 400, InvalidArgument",
    "x-amz-server-side-encryption-aws-kms-key-id, k, 501, NotImplemented",
    "x-amz-server-side-encryption-context, e30=, 501, NotImplemented",
    "x-amz-server-side-encryption-bucket-key-enabled, true, 501, NotImplemented",
    "x-amz-server-side-encryption-customer-algorithm, AES256, 400, InvalidRequest",
    "x-amz-copy-source-server-side-encryption-customer-key, x, 400, InvalidArgument",
    "x-amz-object-lock-mode, GOVERNANCE, 501, NotImplemented",
    "x-amz-object-lock-legal-hold, ON, 501, NotImplemented",
    "x-amz-website-redirect-location, /x, 501, NotImplemented",
    "x-amz-write-offset-bytes, 1, 501, NotImplemented",
    "x-amz-grant-read, id=1, 501, NotImplemented",
    "x-amz-storage-class, GLACIER, 501, NotImplemented",
    "x-amz-storage-class, FAST, 400, InvalidStorageClass",
    "x-amz-acl, none, 400, InvalidArgument",
    "x-amz-tagging, a=1&a=2, 400, InvalidTag",
  })
  void shouldRefuseWhenHeaderChangesTheMeaning(String name, String value, int status, String code)
      throws IOException {
    for (String[] request :
        new String[][] {{"PUT", "/write/refused"}, {"POST", "/write/refused?uploads"}}) {
      Answer answer = calls.send(request[0], request[1], "", name, value);

      assertThat(answer.status()).isEqualTo(status);
      assertThat(code(answer)).isEqualTo(code);
    }
    assertThat(calls.call("HEAD", "/write/refused").status()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"STANDARD", "REDUCED_REDUNDANCY", "STANDARD_IA"})
  void shouldKeepAsStandardWhenClassIsReadAtOnce(String storageClass) throws IOException {
    calls.send("PUT", "/write/class", "x", "x-amz-storage-class", storageClass);
    Answer got =
        calls.call("GET", "/write/class?attributes", "x-amz-object-attributes", "StorageClass");

    assertThat(element(got, "StorageClass")).isEqualTo("STANDARD");
  }

  /** Octets come back as they were sent, whatever they mean (s3-bugs 41). */
  @Test
  void shouldGiveOctetsBackWhenMetadataIsNoAscii() throws IOException {
    calls.send(
        "PUT",
        "/write/meta",
        "x",
        "x-amz-meta-latin",
        "Hello World\u00e9",
        "x-amz-meta-utf8",
        "caf\u00c3\u00a9",
        "x-amz-meta-rfc2047",
        "=?UTF-8?Q?caf=C3=A9?=",
        "x-amz-meta-spaces",
        "a  b");
    Answer head = calls.call("HEAD", "/write/meta");

    assertThat(header(head, "x-amz-meta-latin")).isEqualTo("Hello World\u00e9");
    assertThat(header(head, "x-amz-meta-utf8")).isEqualTo("caf\u00c3\u00a9");
    assertThat(header(head, "x-amz-meta-rfc2047")).isEqualTo("=?UTF-8?Q?caf=C3=A9?=");
    assertThat(header(head, "x-amz-meta-spaces")).isEqualTo("a  b");
  }

  @Test
  void shouldCountTagsWhenPutHadThem() throws IOException {
    calls.send("PUT", "/write/tags", "x", "x-amz-tagging", "a=1&b=x+y&c");

    assertThat(header(calls.call("HEAD", "/write/tags"), "x-amz-tagging-count")).isEqualTo("3");
    calls.send("PUT", "/write/tags", "x");
    assertThat(calls.call("GET", "/write/tags").headers().contains("x-amz-tagging-count"))
        .isFalse();
  }

  /** s3-bugs 27: a part of a key may be longer than a file's name may. */
  @ParameterizedTest
  @CsvSource({
    "k, 255, 200",
    "k, 256, 200",
    "k, 1024, 200",
    "k, 1025, 400",
    "\u6f22, 341, 200",
    "\u6f22, 342, 400"
  })
  void shouldTakeKeyWhenItHas1024Bytes(String text, int count, int status) throws IOException {
    String target = "/write/" + UriCodec.encode(text, false).repeat(count);

    Answer put = calls.send("PUT", target, "long");

    assertThat(put.status()).isEqualTo(status);
    assertThat(code(put)).isEqualTo(status == 200 ? "" : "KeyTooLongError");
    if (status == 200) {
      assertThat(calls.call("GET", target).body()).isEqualTo("long");
      assertThat(calls.send("PUT", target, "", "x-amz-copy-source", target.substring(1)).status())
          .isEqualTo(400);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b+c%/d", "\u00fc", "?versionId=x", "a//b", "+"})
  void shouldFindSourceWhenItsNameIsUnusual(String key) throws IOException {
    String encoded = UriCodec.encode(key, false);
    calls.send("PUT", "/write/" + encoded, "of " + key.length());
    for (String source :
        new String[] {"write/" + encoded, "/write/" + encoded, "write%2F" + encoded}) {
      Answer copy = calls.send("PUT", "/write/copy", "", "x-amz-copy-source", source);

      assertThat(copy.status()).isEqualTo(200);
      assertThat(calls.call("GET", "/write/copy").body()).isEqualTo("of " + key.length());
      calls.call("DELETE", "/write/copy");
    }
  }

  @Test
  void shouldDecideWhenCopyHasConditionsOnItsSource() throws IOException {
    String etag = header(calls.send("PUT", "/write/source", "source"), "etag");
    String old = "Thu, 01 Jan 1998 00:00:00 GMT";
    String ahead = "Fri, 01 Jan 2100 00:00:00 GMT";
    for (String[] match : new String[][] {{etag, "200"}, {"x", "412"}, {"*", "200"}}) {
      copy(match[1], "if-match", match[0]);
      copy(match[1], "if-match", match[0], "if-unmodified-since", old);
    }
    for (String[] match : new String[][] {{etag, "412"}, {"x", "200"}, {"*", "412"}}) {
      copy(match[1], "if-none-match", match[0]);
      copy(match[1], "if-none-match", match[0], "if-modified-since", ahead);
    }
    copy("412", "if-unmodified-since", old);
    copy("200", "if-unmodified-since", ahead);
    copy("412", "if-modified-since", ahead);
    copy("200", "if-modified-since", old);
  }

  private static void copy(String status, String... conditions) throws IOException {
    String[] headers = new String[conditions.length + 2];
    headers[0] = "x-amz-copy-source";
    headers[1] = "write/source";
    for (int i = 0; i < conditions.length; i += 2) {
      headers[i + 2] = "x-amz-copy-source-" + conditions[i];
      headers[i + 3] = conditions[i + 1];
    }
    Answer answer = calls.send("PUT", "/write/conditional", "", headers);

    assertThat(Integer.toString(answer.status())).as("%s", List.of(headers)).isEqualTo(status);
  }

  @ParameterizedTest
  @CsvSource({
    "write/none, x, x, NoSuchKey",
    "none/none, x, x, NoSuchBucket",
    "write/self?versionId=none, x, x, NoSuchVersion",
    "write, x, x, InvalidArgument",
    "write/self, x-amz-metadata-directive, MAYBE, InvalidArgument",
    "write/self, x-amz-tagging-directive, MAYBE, InvalidArgument",
    "write/self, x-amz-checksum-algorithm, MD5, InvalidRequest",
    "write/self, x, x, InvalidRequest",
    "write/self, if-none-match, *, InvalidRequest",
  })
  void shouldRefuseWhenCopyMakesNoSense(String source, String name, String value, String code)
      throws IOException {
    calls.send("PUT", "/write/self", "self");
    Answer answer = calls.send("PUT", "/write/self", "", "x-amz-copy-source", source, name, value);

    assertThat(code(answer)).isEqualTo(code);
  }
}
