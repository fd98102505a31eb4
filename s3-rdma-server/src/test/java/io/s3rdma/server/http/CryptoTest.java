package io.s3rdma.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CryptoTest {
  @ParameterizedTest
  @CsvSource({"abc, abc, true", "abc, abd, false", "abc, ab, false", "ab, abc, false"})
  void shouldCompareAllOfItWhenSignaturesAreCompared(String left, String right, boolean same) {
    assertThat(Crypto.sameInConstantTime(left, right)).isEqualTo(same);
  }

  /** Time cannot be tested for; that nothing else compares signatures can be. */
  @ParameterizedTest
  @ValueSource(strings = {"SigV4", "ChunkSigner", "AwsChunkedBody"})
  void shouldUseNoOtherComparisonWhenItIsASignature(String type) throws IOException {
    Path source = Path.of("src/main/java/io/s3rdma/server/http/" + type + ".java");
    String text = Files.readString(source).toLowerCase(Locale.ROOT);

    Pattern compared =
        Pattern.compile("signature\\.(equals|compare|match|startswith)|equals\\(signature\\)");
    assertThat(compared.matcher(text).find()).isFalse();
  }

  @Test
  void shouldCompareInTheJdkWhenTimeMustTellNothing() throws IOException {
    String text = Files.readString(Path.of("src/main/java/io/s3rdma/server/http/Crypto.java"));

    assertThat(text).contains("MessageDigest.isEqual(");
  }
}
