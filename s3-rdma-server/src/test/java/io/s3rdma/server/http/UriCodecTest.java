package io.s3rdma.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UriCodecTest {
  @ParameterizedTest
  @CsvSource({
    "plain-._~09AZ, plain-._~09AZ, plain-._~09AZ",
    "a/b, a/b, a%2Fb",
    "a b+c%, a%20b%2Bc%25, a%20b%2Bc%25",
    "ü/, %C3%BC/, %C3%BC%2F",
    "'', '', ''",
  })
  void shouldEscapeAllButUnreservedCharacters(String text, String withSlash, String without) {
    assertThat(UriCodec.encode(text, true)).isEqualTo(withSlash);
    assertThat(UriCodec.encode(text, false)).isEqualTo(without);
    assertThat(UriCodec.decode(withSlash)).isEqualTo(text);
    assertThat(UriCodec.decode(without)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/b/k!", "/b/k$&'()*,:;=@"})
  void shouldLeaveBareWhatAClientLeftBare(String raw) {
    assertThat(UriCodec.decode(raw)).isEqualTo(raw);
    assertThat(UriCodec.decode(UriCodec.encode(raw, true))).isEqualTo(raw);
  }
}
