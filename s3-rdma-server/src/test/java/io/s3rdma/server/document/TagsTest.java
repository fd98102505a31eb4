package io.s3rdma.server.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TagsTest {
  @Test
  void shouldDecodeWhenHeaderIsAQuery() {
    assertThat(Tags.ofHeader("foo=bar&bar&a%20b+c=%C3%BC%3D1"))
        .containsExactly(entry("a b c", "ü=1"), entry("bar", ""), entry("foo", "bar"));
    assertThat(Tags.ofHeader("")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "a=1&a=2, INVALID_TAG",
    "=1, INVALID_TAG",
    "a&&b, INVALID_TAG",
    "aws:x=1, INVALID_TAG",
    "a=%00, INVALID_TAG",
    "a=<b>, INVALID_TAG",
    "a=%zz, INVALID_ARGUMENT",
    "a=%ff, INVALID_ARGUMENT",
    "1&2&3&4&5&6&7&8&9&10&11, INVALID_TAG"
  })
  void shouldRefuseWhenHeaderIsWrong(String header, S3ErrorCode code) {
    assertThatThrownBy(() -> Tags.ofHeader(header))
        .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void shouldCountCharactersWhenLimitsAreChecked() {
    String key = "é".repeat(128);
    String value = "𝒳".repeat(256);

    assertThat(Tags.ofDocument(document(tag(key, value)), 10)).isEqualTo(Map.of(key, value));
    assertThatThrownBy(() -> Tags.ofDocument(document(tag(key + "x", "")), 10))
        .hasMessageContaining("128");
    assertThatThrownBy(() -> Tags.ofDocument(document(tag("k", value + "x")), 10))
        .hasMessageContaining("256");
  }

  @Test
  void shouldReadItsOwnDocumentWhenWritten() {
    Map<String, String> tags = Map.of("b", "2 & 3", "a", "");
    String document = Tags.toDocument(Map.of("b", "2 + 3", "a", ""));

    assertThat(Tags.ofDocument(document.getBytes(StandardCharsets.UTF_8), 10))
        .isEqualTo(Map.of("b", "2 + 3", "a", ""));
    assertThat(Tags.toDocument(tags)).contains("<Key>a</Key>", "2 &amp; 3");
    assertThat(Tags.ofDocument(document(""), 10)).isEmpty();
  }

  @Test
  void shouldRefuseWhenDocumentIsWrong() {
    assertThatThrownBy(() -> Tags.ofDocument(document(tag("a", "1") + tag("a", "2")), 10))
        .hasMessageContaining("twice");
    assertThatThrownBy(() -> Tags.ofDocument(document("<Tag><Key>a</Key></Tag>"), 10))
        .hasMessageContaining("no Value");
    assertThatThrownBy(() -> Tags.ofDocument(document(tag("a", "") + tag("b", "")), 1))
        .hasMessageContaining("more than 1");
  }

  private static String tag(String key, String value) {
    return "<Tag><Key>" + key + "</Key><Value>" + value + "</Value></Tag>";
  }

  private static byte[] document(String tags) {
    return ("<Tagging><TagSet>" + tags + "</TagSet></Tagging>").getBytes(StandardCharsets.UTF_8);
  }
}
