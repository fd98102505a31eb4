package io.s3rdma.client.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class S3UriTest {
  @ParameterizedTest
  @CsvSource({
    "s3://b/k, b, k, k",
    "s3://b/a/b c/d.txt, b, a/b c/d.txt, d.txt",
    "s3://b//x, b, /x, x",
    "s3://b/%20?a=b#c, b, %20?a=b#c, %20?a=b#c",
    "s3://b/a/, b, a/, ''",
    "s3://b, b, '', ''",
    "s3://b/, b, '', ''"
  })
  void shouldTakeTheKeyAsTypedWhenParsed(String text, String bucket, String key, String file) {
    S3Uri uri = S3Uri.parse(text);

    assertThat(uri).isEqualTo(new S3Uri(bucket, key));
    assertThat(uri.fileName()).isEqualTo(file);
    assertThat(uri.isBucket()).isEqualTo(key.isEmpty());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "b/k", "http://b/k", "s3:/b/k", "S3://b/k", "s3://", "s3:///k"})
  void shouldRefuseWhenItIsNoS3Uri(String text) {
    assertThatThrownBy(() -> S3Uri.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("s3://bucket/key");
  }

  @Test
  void shouldReadItselfBackWhenPrinted() {
    S3Uri uri = new S3Uri("b", "a//b");

    assertThat(S3Uri.parse(uri.toString())).isEqualTo(uri);
  }
}
