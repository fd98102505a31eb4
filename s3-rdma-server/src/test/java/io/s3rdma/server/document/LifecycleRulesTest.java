package io.s3rdma.server.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.server.encryption.SealedKey;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.store.BucketMeta;
import io.s3rdma.server.store.BucketMeta.Versioning;
import io.s3rdma.server.store.ChecksumType;
import io.s3rdma.server.store.ObjectMeta;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LifecycleRulesTest {
  private static final Instant WRITTEN = Instant.parse("2026-03-10T15:00:00Z");
  private static final LifecycleDays REAL = LifecycleDays.REAL;

  @Test
  void shouldEndAtMidnightWhenDaysAreReal() {
    assertThat(REAL.after(WRITTEN, 1)).isEqualTo("2026-03-12T00:00:00Z");
    assertThat(REAL.after(Instant.parse("2026-03-10T00:00:00Z"), 2))
        .isEqualTo("2026-03-12T00:00:00Z");
    assertThat(REAL.after(Instant.parse("2026-03-10T00:00:00.001Z"), 2))
        .isEqualTo("2026-03-13T00:00:00Z");
    assertThat(new LifecycleDays(10).after(WRITTEN, 3)).isEqualTo("2026-03-10T15:00:30Z");
  }

  @Test
  void shouldSayFirstExpiryWhenSeveralRulesApply() {
    LifecycleRules rules =
        parse(
            rule("late", "<Prefix>a/</Prefix>", days(9))
                + rule("early one", "<Prefix>a/b</Prefix>", days(2))
                + rule("other", "<Prefix>c/</Prefix>", days(1))
                + rule("off", "<Prefix/>", days(1)).replace("Enabled", "Disabled"));

    assertThat(rules.expirationOf(object("a/b/c", 1, Map.of())))
        .contains("expiry-date=\"Fri, 13 Mar 2026 00:00:00 GMT\", rule-id=\"early%20one\"");
    assertThat(rules.expirationOf(object("a/x", 1, Map.of())).orElseThrow()).contains("\"late\"");
    assertThat(rules.expirationOf(object("b", 1, Map.of()))).isEmpty();
    assertThat(rules.expirationOf(marker("a/b/c"))).isEmpty();
    assertThat(rules.commonPrefix()).isEmpty();
  }

  @Test
  void shouldNeedAllWhenFilterHasSeveral() {
    LifecycleRules rules =
        parse(
            rule(
                "r",
                "<Filter><And><Prefix>a</Prefix><Tag><Key>k</Key><Value>v</Value></Tag>"
                    + "<Tag><Key>l</Key><Value/></Tag>"
                    + "<ObjectSizeGreaterThan>10</ObjectSizeGreaterThan>"
                    + "<ObjectSizeLessThan>20</ObjectSizeLessThan></And></Filter>",
                days(1)));
    Map<String, String> tags = Map.of("k", "v", "l", "", "m", "w");

    assertThat(isDue(rules, object("ab", 11, tags))).isTrue();
    assertThat(isDue(rules, object("ab", 10, tags))).isFalse();
    assertThat(isDue(rules, object("ab", 20, tags))).isFalse();
    assertThat(isDue(rules, object("b", 11, tags))).isFalse();
    assertThat(isDue(rules, object("ab", 11, Map.of("k", "v")))).isFalse();
    assertThat(rules.commonPrefix()).isEqualTo("a");
  }

  @Test
  void shouldNeedAllWhenFilterMixesFormsAsCephsClientsDo() {
    LifecycleRules rules =
        parse(
            rule(
                "r",
                "<Filter><Prefix>days1/</Prefix><Tag><Key>a</Key><Value>1</Value></Tag>"
                    + "<And><Prefix>days1</Prefix><Tag><Key>b</Key><Value>2</Value></Tag></And>"
                    + "</Filter>",
                days(1)));

    assertThat(isDue(rules, object("days1/x", 1, Map.of("a", "1", "b", "2")))).isTrue();
    assertThat(isDue(rules, object("days1/x", 1, Map.of("a", "1")))).isFalse();
    assertThat(isDue(rules, object("days1x", 1, Map.of("a", "1", "b", "2")))).isFalse();
    assertThat(rules.commonPrefix()).isEqualTo("days1/");
  }

  @Test
  void shouldKeepNewestWhenSomeNoncurrentStay() {
    LifecycleRules rules =
        parse(
            rule(
                "r",
                "<Filter/>",
                "<NoncurrentVersionExpiration><NoncurrentDays>1</NoncurrentDays>"
                    + "<NewerNoncurrentVersions>2</NewerNoncurrentVersions>"
                    + "</NoncurrentVersionExpiration>"));
    ObjectMeta version = object("a", 1, Map.of());
    Instant due = Instant.parse("2026-03-12T00:00:00Z");

    assertThat(rules.isNoncurrentDue(version, WRITTEN, 1, due, REAL)).isFalse();
    assertThat(rules.isNoncurrentDue(version, WRITTEN, 2, due, REAL)).isTrue();
    assertThat(rules.isNoncurrentDue(version, WRITTEN, 2, due.minusMillis(1), REAL)).isFalse();
    assertThat(rules.isCurrentDue(version, due, REAL)).isFalse();
  }

  @Test
  void shouldRemoveMarkerWhenItIsOldOrMayNotStayAlone() {
    LifecycleRules at =
        parse(
            rule(
                "r",
                "<Filter/>",
                "<Expiration><ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker>"
                    + "</Expiration>"));
    LifecycleRules aged = parse(rule("r", "<Filter/>", days(1)));
    LifecycleRules sized =
        parse(rule("r", "<Filter><ObjectSizeLessThan>5</ObjectSizeLessThan></Filter>", days(1)));
    Instant due = Instant.parse("2026-03-12T00:00:00Z");

    assertThat(at.isMarkerDue(marker("a"), WRITTEN, REAL)).isTrue();
    assertThat(aged.isMarkerDue(marker("a"), due, REAL)).isTrue();
    assertThat(aged.isMarkerDue(marker("a"), due.minusSeconds(1), REAL)).isFalse();
    assertThat(sized.isMarkerDue(marker("a"), due, REAL)).isFalse();
  }

  @Test
  void shouldExpireAllWhenDateHasCome() {
    LifecycleRules rules =
        parse(rule("r", "<Prefix/>", "<Expiration><Date>2026-04-01</Date></Expiration>"));
    ObjectMeta object = object("a", 1, Map.of());
    Instant date = Instant.parse("2026-04-01T00:00:00Z");

    assertThat(rules.isCurrentDue(object, date.minusSeconds(1), REAL)).isFalse();
    assertThat(rules.isCurrentDue(object, date, REAL)).isTrue();
    assertThat(rules.expirationOf(object).orElseThrow()).contains("Wed, 01 Apr 2026 00:00:00 GMT");
  }

  @Test
  void shouldGiveIdsWhenRulesHaveNone() {
    String body = "<Prefix>x</Prefix><Status>Enabled</Status>" + days(1);
    String kept = LifecycleDocument.toKeep(document("<Rule>" + body + "</Rule>"));

    assertThat(kept).containsPattern("<Rule><ID>[-0-9a-f]{36}</ID>" + body + "</Rule>");
    assertThat(LifecycleDocument.toKeep(kept.getBytes(StandardCharsets.UTF_8))).isEqualTo(kept);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<ID>r</ID><Prefix/><Status>enabled</Status>DAYS | MALFORMED_XML",
        "<ID>r</ID><Prefix/>DAYS | MALFORMED_XML",
        "<ID>r</ID><Status>Enabled</Status>DAYS | MALFORMED_XML",
        "<ID>r</ID><Prefix/><Filter/><Status>Enabled</Status>DAYS | MALFORMED_XML",
        "<ID>r</ID><Prefix/><Status>Enabled</Status> | INVALID_REQUEST",
        "<ID>r</ID><Prefix/><Status>Enabled</Status><Expiration/> | MALFORMED_XML",
        "<ID>r</ID><Prefix/><Status>Enabled</Status><Expiration><Days>0</Days></Expiration>"
            + " | INVALID_ARGUMENT",
        "<ID>r</ID><Prefix/><Status>Enabled</Status><Expiration><Days>x</Days></Expiration>"
            + " | MALFORMED_XML",
        "<ID>r</ID><Prefix/><Status>Enabled</Status><Expiration><Date>20200101</Date></Expiration>"
            + " | MALFORMED_XML",
        "<ID>r</ID><Prefix/><Status>Enabled</Status>"
            + "<Expiration><Date>2020-01-01T01:00:00Z</Date></Expiration> | INVALID_ARGUMENT",
        "<ID>r</ID><Prefix/><Status>Enabled</Status>"
            + "<Expiration><Days>1</Days><Date>2020-01-01</Date></Expiration> | MALFORMED_XML",
        "<ID>r</ID><Prefix/><Status>Enabled</Status><Transition><Days>1</Days></Transition>DAYS"
            + " | NOT_IMPLEMENTED",
        "<ID>r</ID><Prefix/><Status>Enabled</Status><NoncurrentVersionTransition/>"
            + " | NOT_IMPLEMENTED",
        "<ID>r</ID><Prefix/><Status>Enabled</Status><NoncurrentVersionExpiration>"
            + "<NewerNoncurrentVersions>1</NewerNoncurrentVersions></NoncurrentVersionExpiration>"
            + " | MALFORMED_XML",
        "<ID>r</ID><Prefix/><Status>Enabled</Status><NoncurrentVersionExpiration><NoncurrentDays>"
            + "1</NoncurrentDays><NewerNoncurrentVersions>101</NewerNoncurrentVersions>"
            + "</NoncurrentVersionExpiration> | INVALID_ARGUMENT",
        "<ID>r</ID><Filter><Tag><Key>a</Key><Value>b</Value></Tag></Filter><Status>Enabled</Status>"
            + "<AbortIncompleteMultipartUpload><DaysAfterInitiation>1</DaysAfterInitiation>"
            + "</AbortIncompleteMultipartUpload> | INVALID_REQUEST",
        "<ID>r</ID><Filter><ObjectSizeGreaterThan>-1</ObjectSizeGreaterThan></Filter>"
            + "<Status>Enabled</Status>DAYS | INVALID_ARGUMENT",
        "<ID>r</ID><Filter><Suffix>x</Suffix></Filter><Status>Enabled</Status>DAYS | MALFORMED_XML",
        "<ID/><Prefix/><Status>Enabled</Status>DAYS | INVALID_ARGUMENT"
      })
  void shouldRefuseWhenRuleIsWrong(String rule, S3ErrorCode code) {
    refused("<Rule>" + rule.replace("DAYS", days(1)) + "</Rule>", code);
  }

  @Test
  void shouldRefuseWhenIdsAreLongOrTwice() {
    refused(rule("a".repeat(256), "<Prefix/>", days(1)), S3ErrorCode.INVALID_ARGUMENT);
    refused(rule("a", "<Prefix/>", days(1)).repeat(2), S3ErrorCode.INVALID_ARGUMENT);
    refused("", S3ErrorCode.MALFORMED_XML);
    assertThat(parse(rule("a".repeat(255), "<Prefix/>", days(1))).rules()).hasSize(1);
  }

  @Test
  void shouldCountAsNoneWhenKeptDocumentIsNotValidAnyMore() {
    BucketMeta bucket =
        new BucketMeta(
            "b", WRITTEN, "me", Versioning.OFF, Map.of(LifecycleRules.SETTING, "<old/>"));

    LifecycleRules rules = LifecycleRules.of(bucket).orElseThrow();

    assertThat(rules.isActive()).isFalse();
    assertThat(rules.expirationOf(object("a", 1, Map.of()))).isEmpty();
    assertThat(LifecycleRules.of(bucket.withSetting(LifecycleRules.SETTING, null))).isEmpty();
  }

  private static void refused(String rules, S3ErrorCode code) {
    assertThatThrownBy(() -> parse(rules))
        .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  private static boolean isDue(LifecycleRules rules, ObjectMeta object) {
    return rules.isCurrentDue(object, WRITTEN.plusSeconds(10 * 86_400), REAL);
  }

  private static String days(int days) {
    return "<Expiration><Days>" + days + "</Days></Expiration>";
  }

  private static String rule(String id, String filter, String actions) {
    return "<Rule><ID>" + id + "</ID>" + filter + "<Status>Enabled</Status>" + actions + "</Rule>";
  }

  private static LifecycleRules parse(String rules) {
    return LifecycleDocument.parse(document(rules));
  }

  private static byte[] document(String rules) {
    return ("<LifecycleConfiguration>" + rules + "</LifecycleConfiguration>")
        .getBytes(StandardCharsets.UTF_8);
  }

  private static ObjectMeta object(String key, long size, Map<String, String> tags) {
    return meta(key, ObjectMeta.Layout.INLINE, size, tags);
  }

  private static ObjectMeta marker(String key) {
    return meta(key, ObjectMeta.Layout.DELETE_MARKER, 0, Map.of());
  }

  private static ObjectMeta meta(
      String key, ObjectMeta.Layout layout, long size, Map<String, String> tags) {
    return new ObjectMeta(
        "b",
        key,
        "v",
        1,
        layout,
        "id",
        size,
        0,
        "e",
        WRITTEN,
        Map.of(),
        Map.of(),
        ChecksumType.FULL_OBJECT,
        tags,
        "",
        SealedKey.NONE);
  }
}
