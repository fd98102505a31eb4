package io.s3rdma.server.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.server.http.Headers;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CorsRulesTest {
  private static final String GET_ALL =
      "<CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod></CORSRule>";

  @ParameterizedTest
  @CsvSource({
    "foo.suffix, GET, true",
    "suffix, GET, true",
    "foo.suffix.get, GET, false",
    "foo.suffix, PUT, false",
    "startend, GET, true",
    "start1end, GET, true",
    "0start1end, GET, false",
    "starend, GET, false",
    "foo.put, PUT, true",
    "FOO.PUT, PUT, false"
  })
  void shouldMatchWhenOneStarStandsForAnything(String origin, String method, boolean allowed) {
    CorsRules rules =
        rules(rule("*suffix", "GET") + rule("start*end", "GET") + rule("*.put", "PUT"));

    Optional<Headers> answer = rules.answer(origin, method, List.of());

    assertThat(answer.isPresent()).isEqualTo(allowed);
    answer.ifPresent(
        headers -> {
          assertThat(headers.first("access-control-allow-origin")).contains(origin);
          assertThat(headers.first("access-control-allow-methods")).contains(method);
          assertThat(headers.first("access-control-allow-credentials")).contains("true");
          assertThat(headers.first("vary")).isPresent();
        });
  }

  @Test
  void shouldNotAllowCredentialsWhenAnyOriginMayAsk() {
    Headers headers = rules(GET_ALL).answer("http://a", "GET", List.of()).orElseThrow();

    assertThat(headers.first("access-control-allow-origin")).contains("*");
    assertThat(headers.contains("access-control-allow-credentials")).isFalse();
  }

  @Test
  void shouldAskForAllHeadersWhenPreflightNamesSome() {
    CorsRules rules =
        rules(
            "<CORSRule><ID>one</ID><AllowedOrigin>http://a</AllowedOrigin>"
                + "<AllowedMethod>PUT</AllowedMethod><AllowedMethod>GET</AllowedMethod>"
                + "<AllowedHeader>X-Amz-*</AllowedHeader><AllowedHeader>range</AllowedHeader>"
                + "<ExposeHeader>ETag</ExposeHeader><ExposeHeader>x-amz-version-id</ExposeHeader>"
                + "<MaxAgeSeconds>3000</MaxAgeSeconds></CORSRule>");

    Headers headers = rules.answer("http://a", "PUT", List.of("x-amz-date", "Range")).orElseThrow();

    assertThat(headers.first("access-control-allow-headers")).contains("x-amz-date, Range");
    assertThat(headers.first("access-control-allow-methods")).contains("PUT, GET");
    assertThat(headers.first("access-control-expose-headers")).contains("ETag, x-amz-version-id");
    assertThat(headers.first("access-control-max-age")).contains("3000");
    assertThat(rules.answer("http://a", "PUT", List.of("x-amz-date", "cookie"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "<AllowedMethod>GET</AllowedMethod>, MALFORMED_XML",
    "<AllowedOrigin>a</AllowedOrigin>, MALFORMED_XML",
    "<AllowedOrigin>a*b*</AllowedOrigin><AllowedMethod>GET</AllowedMethod>, INVALID_REQUEST",
    "<AllowedOrigin>a</AllowedOrigin><AllowedMethod>get</AllowedMethod>, INVALID_REQUEST",
    "<AllowedOrigin>a</AllowedOrigin><AllowedMethod>OPTIONS</AllowedMethod>, INVALID_REQUEST",
    "<AllowedOrigin>a</AllowedOrigin><AllowedMethod>GET</AllowedMethod>"
        + "<ExposeHeader>x-*</ExposeHeader>, INVALID_REQUEST",
    "<AllowedOrigin>a</AllowedOrigin><AllowedMethod>GET</AllowedMethod>"
        + "<ExposeHeader>x&#13;&#10;y</ExposeHeader>, INVALID_REQUEST",
    "<AllowedOrigin>a</AllowedOrigin><AllowedMethod>GET</AllowedMethod>"
        + "<MaxAgeSeconds>-1</MaxAgeSeconds>, MALFORMED_XML",
    "<AllowedOrigin>a</AllowedOrigin><AllowedMethod>GET</AllowedMethod><Other/>, MALFORMED_XML"
  })
  void shouldRefuseWhenRuleIsWrong(String rule, S3ErrorCode code) {
    assertThatThrownBy(() -> rules("<CORSRule>" + rule + "</CORSRule>"))
        .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void shouldCountRulesWhenThereAreManyOrNone() {
    assertThat(rules(GET_ALL.repeat(100)).rules()).hasSize(100);
    assertThatThrownBy(() -> rules(GET_ALL.repeat(101))).hasMessageContaining("100");
    assertThatThrownBy(() -> rules("")).isInstanceOf(S3Exception.class);
  }

  @Test
  void shouldReadWhatItKeepsWhenDocumentHasBlanks() {
    String kept = CorsRules.toKeep(document("\n <!-- c -->" + GET_ALL + "\n"));

    assertThat(kept).endsWith(GET_ALL + "</CORSConfiguration>");
    assertThat(CorsRules.parse(kept.getBytes(StandardCharsets.UTF_8))).isEqualTo(rules(GET_ALL));
  }

  private static String rule(String origin, String method) {
    return "<CORSRule><AllowedOrigin>%s</AllowedOrigin><AllowedMethod>%s</AllowedMethod></CORSRule>"
        .formatted(origin, method);
  }

  private static CorsRules rules(String rules) {
    return CorsRules.parse(document(rules));
  }

  private static byte[] document(String rules) {
    return ("<CORSConfiguration xmlns='http://s3.amazonaws.com/doc/2006-03-01/'>"
            + rules
            + "</CORSConfiguration>")
        .getBytes(StandardCharsets.UTF_8);
  }
}
