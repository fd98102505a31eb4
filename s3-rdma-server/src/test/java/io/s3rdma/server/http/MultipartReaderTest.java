package io.s3rdma.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MultipartReaderTest {
  private static final String TYPE = TestForm.contentType();
  private static final String DASHED = "--" + TestForm.BOUNDARY;
  // All that looks like the boundary and is not.
  private static final String CONTENT =
      "\r\n--\r\r\n-\n" + DASHED + "\r\n" + DASHED.substring(0, DASHED.length() - 1) + "\r\n";

  private static TestForm form() {
    return new TestForm().field("key", "käse").field("empty", "").file("a \\\"b\\\".txt", CONTENT);
  }

  @Test
  void shouldReadTheSameWhenBodyIsSplitAnywhere() throws IOException {
    String body = form().body();
    for (int split = 0; split < body.length(); split++) {
      assertReads(MultipartReader.of(TYPE, pieces(body, split, body.length()), Form.BYTES_MAX));
    }
    assertReads(MultipartReader.of(TYPE, pieces(body, 1, 1), Form.BYTES_MAX));
  }

  private static void assertReads(MultipartReader reader) throws IOException {
    assertThat(reader.next()).isEqualTo(new PartHead("key", ""));
    assertThat(reader.text()).isEqualTo("käse");
    assertThat(reader.next()).isEqualTo(new PartHead("empty", ""));
    assertThat(reader.text()).isEmpty();
    assertThat(reader.next()).isEqualTo(new PartHead("file", "a \"b\".txt"));
    assertThat(content(reader, 7)).isEqualTo(CONTENT);
    assertThat(reader.next()).isNull();
  }

  @Test
  void shouldNeverEndTheFileWhenBodyIsCutAnywhere() {
    String body = form().body();
    int whole = body.length() - "\r\n".length();
    for (int length = 0; length < whole; length++) {
      String cut = body.substring(0, length);
      assertRefused(() -> readAll(cut), S3ErrorCode.MALFORMED_POST_REQUEST);
    }
  }

  @Test
  void shouldStreamWhenFileIsLargerThanTheWindow() throws IOException {
    String large = ("\r\n" + DASHED.substring(0, 20) + "x".repeat(1000)).repeat(300);
    String body = new TestForm().file("f", large).body();
    MultipartReader reader = MultipartReader.of(TYPE, pieces(body, 5000, 5000), Form.BYTES_MAX);

    assertThat(reader.next().name()).isEqualTo("file");
    assertThat(content(reader, 4096)).isEqualTo(large);
  }

  @Test
  void shouldTellWhatIsBehindWhenFileBegins() throws IOException {
    String body = form().body();
    MultipartReader reader = MultipartReader.of(TYPE, pieces(body, 3, 3), Form.BYTES_MAX);
    reader.next();
    reader.next();
    reader.next();

    assertThat(reader.consumed()).isEqualTo(body.indexOf(CONTENT));
    long left = body.length() - reader.consumed() - reader.endBytes();
    assertThat(left).isBetween((long) CONTENT.length(), CONTENT.length() + 2L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Content-Disposition: form-data; name=\"a\"\r\nContent-Disposition: form-data; name=\"b\"",
        "Content-Disposition: form-data; name=\"a\"; name=\"b\"",
        "Content-Disposition: form-data; name=\"\"",
        "Content-Disposition: form-data; name=",
        "Content-Disposition: form-data; name",
        "Content-Disposition: form-data",
        "Content-Disposition: attachment; name=\"a\"",
        "Content-Disposition: form-data; name=\"a",
        "Content-Disposition: form-data; name=\"a\\\"",
        "Content-Disposition: form-data; name=\"a\"b\"",
        "Content-Disposition: form-data; name=a b",
        "Content-Disposition: form-data; name=\"a\u0000b\"",
        "Content-Disposition: form-data; name=\"a\nb\"",
        "Content-Disposition: form-data; name=\"a\rb\"",
        "Content-Disposition: form-data; name=\"a\r\nb\"",
        "Content-Disposition: form-data;\r\n name=\"a\"",
        "Content-Disposition: form-data; name=\"\u00ff\"",
        "Content-Disposition : form-data; name=\"a\"",
        "Content-Disposition: form-data; name=\"a\"\r\nContent-Transfer-Encoding: base64",
        "no colon\r\nContent-Disposition: form-data; name=\"a\"",
        "Content-Type: text/plain",
      })
  void shouldRefuseWhenHeadIsAmbiguous(String head) {
    String body = DASHED + "\r\n" + head + "\r\n\r\nvalue\r\n" + DASHED + "--";

    assertRefused(() -> readAll(body), S3ErrorCode.MALFORMED_POST_REQUEST);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--\r\n",
        "--wrong\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n--wrong--\r\n",
        DASHED + "x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n" + DASHED + "--",
        DASHED + "\nContent-Disposition: form-data; name=\"a\"\n\nb\n" + DASHED + "--",
        DASHED
            + "\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\nb\r\n"
            + DASHED
            + "x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nc\r\n"
            + DASHED
            + "--",
        DASHED + "\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\u00ff\r\n" + DASHED + "--",
      })
  void shouldRefuseWhenFramingIsBroken(String body) {
    assertRefused(() -> readAll(body), S3ErrorCode.MALFORMED_POST_REQUEST);
  }

  @ParameterizedTest
  @CsvSource({
    "multipart/form-data",
    "multipart/form-data; boundary=",
    "multipart/form-data; boundary=\"\"",
    "multipart/form-data; boundary=a; boundary=a",
    "'multipart/form-data; boundary=\"a \"'",
    "multipart/form-data; boundary=ä",
    "multipart/form-data; boundary=1234567890123456789012345678901234567890123456789012345678901234567890A",
  })
  void shouldRefuseWhenBoundaryIsNone(String type) {
    assertRefused(
        () -> MultipartReader.of(type, RequestBody.empty(), Form.BYTES_MAX),
        S3ErrorCode.MALFORMED_POST_REQUEST);
  }

  @Test
  void shouldRefuseWhenWhatStandsBeforeTheFileIsTooMuch() {
    String much = "x".repeat(Form.BYTES_MAX);
    String few = "x".repeat(Form.BYTES_MAX / 4);

    for (TestForm form :
        new TestForm[] {
          new TestForm().raw(much),
          new TestForm().field("a", much),
          new TestForm().part("name=\"" + much + "\"", ""),
          new TestForm().part("name=\"a\"; filename=\"" + much, ""),
          new TestForm().field("a", few).field("b", few).field("c", few).field("d", few),
        }) {
      assertRefused(() -> readAll(form.body()), S3ErrorCode.MAX_POST_PRE_DATA_LENGTH_EXCEEDED);
    }
  }

  /** Reads fields and the file; what escapes is the test's. */
  private static void readAll(String body) throws IOException {
    MultipartReader reader = MultipartReader.of(TYPE, pieces(body, 11, 11), Form.BYTES_MAX);
    for (PartHead part = reader.next(); part != null; part = reader.next()) {
      if (part.name().equals("file")) {
        content(reader, 100);
        return; // whatever follows it is not looked at
      } else {
        reader.text();
      }
    }
  }

  private static void assertRefused(ThrowingCallable call, S3ErrorCode code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  private static String content(MultipartReader reader, int step) throws IOException {
    StringBuilder content = new StringBuilder();
    ByteBuffer buffer = ByteBuffer.allocate(step);
    while (reader.read(buffer) >= 0) {
      content.append(new String(buffer.array(), 0, buffer.position(), StandardCharsets.ISO_8859_1));
      buffer.clear();
    }
    return content.toString();
  }

  /** A body that comes in a piece of {@code first} octets and then in steps. */
  static RequestBody pieces(String body, int first, int step) {
    ByteBuffer source = ByteBuffer.wrap(body.getBytes(StandardCharsets.ISO_8859_1));
    return dst -> {
      if (!source.hasRemaining()) {
        return -1;
      }
      int most = source.position() == 0 && first > 0 ? first : step;
      int count = Math.min(Math.min(source.remaining(), dst.remaining()), most);
      dst.put(source.slice(source.position(), count));
      source.position(source.position() + count);
      return count;
    };
  }
}
