package io.s3rdma.server.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What each operator of a condition says; several values stand with a bar between, none as a minus.
 */
final class OperatorTest {
  @ParameterizedTest
  @CsvSource({
    // operator, the policy's values, the request's, holds
    "StringEquals, a, a, true",
    "StringEquals, a, A, false",
    "StringEquals, a|b, b, true",
    "StringEquals, a*, ab, false",
    "StringEquals, a, -, false",
    "StringEqualsIfExists, a, -, true",
    "StringEqualsIfExists, a, b, false",
    "StringNotEquals, a, b, true",
    "StringNotEquals, a|b, b, false",
    "StringNotEquals, a, -, true",
    "StringNotEqualsIfExists, a, a, false",
    "StringEqualsIgnoreCase, aB, Ab, true",
    "StringNotEqualsIgnoreCase, aB, Ab, false",
    "StringLike, home/*, home/me/x, true",
    "StringLike, ho?e, home, true",
    "StringLike, home/*, out, false",
    "StringNotLike, home/*, out, true",
    "StringNotLike, home/*, home/, false",
    "Null, true, -, true",
    "Null, true, a, false",
    "Null, false, a, true",
    "Null, false, -, false",
    "ForAllValues:StringEquals, a|b, a, true",
    "ForAllValues:StringEquals, a|b, a|b, true",
    "ForAllValues:StringEquals, a|b, a|c, false",
    "ForAllValues:StringEquals, a|b, -, true",
    "ForAllValues:StringNotEquals, a, b|c, true",
    "ForAllValues:StringNotEquals, a, a|c, false",
    "ForAnyValue:StringEquals, a|b, a|c, true",
    "ForAnyValue:StringEquals, a|b, c|d, false",
    "ForAnyValue:StringEquals, a|b, -, false",
    "ForAnyValue:StringNotEquals, a, a|c, true",
    "ForAnyValue:StringNotEquals, a, -, false",
    "ForAnyValue:StringLikeIfExists, a*, -, true",
    "StringEquals, a, c|a, true",
    "StringNotEquals, a, c|a, false",
  })
  void shouldHoldWhenTextsAre(String text, String wanted, String values, boolean expected)
      throws MalformedPolicyException {
    assertHolds(text, wanted, values, expected);
  }

  @ParameterizedTest
  @CsvSource({
    "NumericEquals, 10, 10.0, true",
    "NumericEquals, 10, x, false",
    "NumericNotEquals, 10, 11, true",
    "NumericNotEquals, 10, x, true",
    "NumericLessThan, 10, 9, true",
    "NumericLessThan, 10, 10, false",
    "NumericLessThanEquals, 10, 10, true",
    "NumericLessThanEquals, 10, -, false",
    "NumericGreaterThan, 10, 10, false",
    "NumericGreaterThan, 10, 10.5, true",
    "NumericGreaterThan, -1, 0, true",
    "NumericGreaterThanEquals, 10, 10, true",
    "DateEquals, 2030-01-01T00:00:00Z, 2030-01-01T01:00:00+01:00, true",
    "DateEquals, 2030-01-01, 1893456000, true",
    "DateNotEquals, 2030-01-01, 1893456000, false",
    "DateLessThan, 2030-01-01T00:00:00Z, 2029-12-31T23:59:59Z, true",
    "DateLessThan, 2030-01-01T00:00:00Z, 2030-01-01T00:00:00Z, false",
    "DateLessThanEquals, 2030-01-01T00:00:00Z, 2030-01-01T00:00:00Z, true",
    "DateGreaterThan, 2030-01-01T00:00:00Z, 2030-01-01T00:00:00.001Z, true",
    "DateGreaterThanEquals, 2030-01-01T00:00:00Z, yesterday, false",
    "Bool, true, true, true",
    "Bool, False, false, true",
    "Bool, false, true, false",
    "IpAddress, 10.0.0.0/8, 10.255.0.1, true",
    "IpAddress, 10.0.0.0/8, 11.0.0.1, false",
    "IpAddress, 10.0.0.0/8|192.168.0.7, 192.168.0.7, true",
    "IpAddress, 2001:db8::/32, 2001:db8:1::1, true",
    "IpAddress, 10.0.0.0/8, ::1, false",
    "NotIpAddress, 10.0.0.0/8, 11.0.0.1, true",
    "NotIpAddress, 10.0.0.0/8, 10.0.0.1, false",
    "ArnEquals, arn:aws:iam::a:root, arn:aws:iam::a:root, true",
    "ArnLike, arn:aws:iam::*:user/b*, arn:aws:iam::a:user/bob, true",
    "ArnLike, arn:aws:iam::*:user/b*, arn:aws:iam::a:user/alice, false",
    "ArnLike, arn:*:root:x:y:z, arn:aws:iam::a:root, false",
    "ArnNotLike, arn:aws:iam::a:*, arn:aws:iam::b:root, true",
    "ArnNotEquals, arn:aws:iam::a:root, -, true",
  })
  void shouldHoldWhenNumbersDatesAndNetworksAre(
      String text, String wanted, String values, boolean expected) throws MalformedPolicyException {
    assertHolds(text, wanted, values, expected);
  }

  private static void assertHolds(String text, String wanted, String values, boolean expected)
      throws MalformedPolicyException {
    Operator operator = Operator.parse(text);

    assertThat(operator.holds(list(values), operator.wanted(list(wanted)))).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "stringequals",
        "StringMatches",
        "BinaryEquals",
        "NullIfExists",
        "ForAllValues:Null",
        "IfExists",
        "ForAllValues:",
        "NumericNotLessThan",
        "BoolIfExistsIfExists",
        "ForAnyValue:ForAllValues:StringLike"
      })
  void shouldRefuseWhenOperatorIsNotKnown(String text) {
    assertThatThrownBy(() -> Operator.parse(text))
        .isInstanceOf(MalformedPolicyException.class)
        .hasMessage("the condition operator " + text + " is not known here");
  }

  @ParameterizedTest
  @CsvSource({
    "NumericEquals, ten",
    "NumericLessThan, 1e9",
    "NumericLessThan, 1234567890123456789012345678901",
    "DateLessThan, tomorrow",
    "DateLessThan, 2030-02-30",
    "Bool, yes",
    "Null, maybe",
    "IpAddress, 10.0.0",
    "IpAddress, example.org",
    "IpAddress, 10.0.0.0/33",
    "ArnLike, arn:aws:iam",
    "ArnEquals, *",
  })
  void shouldRefuseWhenValueIsNotOfTheOperatorsKind(String text, String wanted)
      throws MalformedPolicyException {
    Operator operator = Operator.parse(text);

    assertThatThrownBy(() -> operator.wanted(List.of(wanted)))
        .isInstanceOf(MalformedPolicyException.class)
        .hasMessageContaining(wanted);
  }

  private static List<String> list(String values) {
    return values.equals("-") ? List.of() : Arrays.asList(values.split("\\|"));
  }
}
