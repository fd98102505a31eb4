package io.s3rdma.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FormPolicyTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final String LATER = "2026-01-02T03:04:06Z";
  private static final String OTHERS = "{\"bucket\":\"b\"},{\"key\":\"k\"}";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "{}",
        "{\"expiration\":\"2026-01-02T03:04:06Z\"}",
        "{\"conditions\":[]}",
        "{\"EXPIRATION\":\"2026-01-02T03:04:06Z\",\"conditions\":[]}",
        "{\"expiration\":\"2026-01-02T03:04:06Z\",\"CONDITIONS\":[]}",
        "{\"expiration\":\"2026-01-02T03:04:06Z\",\"conditions\":{}}",
        "{\"expiration\":\"2026-01-02T03:04:06Z\",\"conditions\":[],\"id\":\"x\"}",
        "{\"expiration\":\"2026-01-02T03:04:06Z\",\"conditions\":[],\"conditions\":[]}",
        "{\"expiration\":\"2026-01-02T03:04:06Z\",\"conditions\":[]} {}",
        "{\"expiration\":\"2026-01-02T03:04:06Z\",\"conditions\":[]",
        "{\"expiration\":1767323046,\"conditions\":[]}",
        "{\"expiration\":\"2026-01-02 03:04:06+00:00\",\"conditions\":[]}",
        "{\"expiration\":\"2026-01-02T03:04:06+01:00\",\"conditions\":[]}",
        "{\"expiration\":\"2026-13-02T03:04:06Z\",\"conditions\":[]}",
        "{\"expiration\":\"Z\",\"conditions\":[]}",
      })
  void shouldRefuseWhenDocumentIsNoPolicy(String json) {
    assertInvalid(base64(json));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "\"acl\"",
        "null",
        "{\"acl\":\"private\",\"key\":\"k\"}",
        "{\"acl\":\"private\",\"acl\":\"private\"}",
        "{\"acl\":7}",
        "{\"acl\":null}",
        "{\"acl\":[\"private\"]}",
        "[\"eq\",\"$acl\"]",
        "[\"eq\",\"acl\",\"private\"]",
        "[\"eq\",\"$acl\",7]",
        "[\"eq\",\"$acl\",\"private\",\"more\"]",
        "[\"ends-with\",\"$acl\",\"e\"]",
        "[[\"eq\"],\"$acl\",\"e\"]",
        "[\"content-length-range\"]",
        "[\"content-length-range\",0]",
        "[\"content-length-range\",-1,0]",
        "[\"content-length-range\",2,1]",
        "[\"content-length-range\",0,1.5]",
        "[\"content-length-range\",0,1e3]",
        "[\"content-length-range\",0,true]",
        "[\"content-length-range\",\"\",\"1\"]",
        "[\"content-length-range\",0,1,2]",
        "[\"content-length-range\",0,9999999999999999999]",
      })
  void shouldRefuseWhenConditionIsNotUnderstood(String condition) {
    assertInvalid(policy(LATER, condition));
    assertInvalid(policy(LATER, OTHERS + "," + condition));
  }

  @Test
  void shouldRefuseWhenDocumentIsNotText() {
    assertInvalid("?");
    assertInvalid(Base64.getEncoder().encodeToString(new byte[] {'{', (byte) 0xff, '}'}));
    assertInvalid(
        Base64.getEncoder().encodeToString("{\"a\":1}".getBytes(StandardCharsets.UTF_16LE)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"x\":\"abc\"}                      | abc                | true",
        "{\"x\":\"abc\"}                      | ABC                | false",
        "{\"X\":\"abc\"}                      | abc                | true",
        "[\"eq\",\"$x\",\"abc\"]              | abc                | true",
        "[\"EQ\",\"$X\",\"abc\"]              | abc                | true",
        "[\"eq\",\"$x\",\"abc\"]              | abcd               | false",
        "[\"eq\",\"$x\",\"\"]                 | abc                | false",
        "[\"starts-with\",\"$x\",\"ab\"]      | abc                | true",
        "[\"StArTs-WiTh\",\"$x\",\"ab\"]      | abc                | true",
        "[\"starts-with\",\"$x\",\"ab\"]      | cab                | false",
        "[\"starts-with\",\"$x\",\"\"]        | anything           | true",
        "[\"starts-with\",\"$x\",\"\\\\$f\"]  | \\$foo             | true",
        "[\"starts-with\",\"$content-type\",\"image/\"] | image/png           | true",
        "[\"starts-with\",\"$content-type\",\"image/\"] | image/png, image/gif | true",
        "[\"starts-with\",\"$content-type\",\"image/\"] | image/png,text/html | false",
      })
  void shouldDecideWhenFieldIsThere(String condition, String value, boolean allowed) {
    String field = condition.contains("content-type") ? "Content-Type" : "x";
    FormFields fields = fields("key", "k", field, value);

    assertThat(allows(policy(LATER, OTHERS + "," + condition), fields)).isEqualTo(allowed);
  }

  @ParameterizedTest
  @CsvSource({
    "eq, '', true",
    "starts-with, '', true",
    "eq, a, false",
    "starts-with, a, false",
  })
  void shouldTakeNothingForEmptyWhenFieldIsMissing(String operator, String text, boolean allowed) {
    String condition = "[\"" + operator + "\",\"$x\",\"" + text + "\"]";

    assertThat(allows(policy(LATER, OTHERS + "," + condition), fields("key", "k")))
        .isEqualTo(allowed);
  }

  @ParameterizedTest
  @CsvSource({
    "x-ignore-me, true",
    "signature, true",
    "AWSAccessKeyId, true",
    "x-amz-signature, true",
    "policy, true",
    "x-amz-checksum-crc32, true",
    "bucket, true",
    "acl, false",
    "x-amz-meta-a, false",
    "x-amz-date, false",
    "content-md5, false",
    "success_action_redirect, false",
    "other, false",
  })
  void shouldRefuseWhenFieldHasNoCondition(String field, boolean allowed) {
    assertThat(allows(policy(LATER, OTHERS), fields("key", "k", field, "v"))).isEqualTo(allowed);
  }

  @Test
  void shouldRefuseWhenBucketOrKeyIsNotNamed() {
    assertThat(allows(policy(LATER, "{\"key\":\"k\"}"), fields("key", "k"))).isFalse();
    assertThat(allows(policy(LATER, "{\"bucket\":\"b\"}"), fields("key", "k"))).isFalse();
    assertThat(allows(policy(LATER, "{\"bucket\":\"c\"},{\"key\":\"k\"}"), fields("key", "k")))
        .isFalse();
    // What the form says of its bucket does not count.
    FormFields lying = fields("key", "k", "bucket", "c");
    assertThat(allows(policy(LATER, "{\"bucket\":\"c\"},{\"key\":\"k\"}"), lying)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "2026-01-02T03:04:05Z, false",
    "2026-01-02T03:04:05.001Z, true",
    "2026-01-02T03:04:06Z, true",
    "2025-12-31T00:00:00Z, false",
  })
  void shouldRefuseWhenExpired(String expiration, boolean allowed) {
    assertThat(allows(policy(expiration, OTHERS), fields("key", "k"))).isEqualTo(allowed);
  }

  @Test
  void shouldTakeTheNarrowestWhenThereAreSeveralRanges() {
    String ranges = "[\"content-length-range\",1,100],[\"Content-Length-Range\",\"10\",\"200\"]";

    assertThat(FormPolicy.parse(policy(LATER, ranges)).lengths())
        .isEqualTo(new LengthRange(10, 100));
    assertThat(FormPolicy.parse(policy(LATER, OTHERS)).lengths()).isEqualTo(LengthRange.ANY);
  }

  private static boolean allows(String policy, FormFields fields) {
    FormPolicy parsed = FormPolicy.parse(policy);
    try {
      parsed.require(NOW, fields, "b");
      return true;
    } catch (S3Exception e) {
      assertThat(e.code()).isEqualTo(S3ErrorCode.ACCESS_DENIED);
      return false;
    }
  }

  private static FormFields fields(String... namesAndValues) {
    FormFields.Builder fields = new FormFields.Builder(100);
    for (int i = 0; i < namesAndValues.length; i += 2) {
      fields.add(namesAndValues[i], namesAndValues[i + 1]);
    }
    return fields.build();
  }

  private static void assertInvalid(String base64) {
    assertThatThrownBy(() -> FormPolicy.parse(base64))
        .isInstanceOfSatisfying(
            S3Exception.class,
            e -> assertThat(e.code()).isEqualTo(S3ErrorCode.INVALID_POLICY_DOCUMENT));
  }

  private static String policy(String expiration, String conditions) {
    return base64("{\"expiration\":\"" + expiration + "\",\"conditions\":[" + conditions + "]}");
  }

  private static String base64(String json) {
    return Base64.getEncoder().encodeToString(json.getBytes(StandardCharsets.UTF_8));
  }
}
