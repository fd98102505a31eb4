package io.s3rdma.server.policy;

import io.s3rdma.server.net.Subnet;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The operators of conditions, each without its negation, which the name begins with. */
enum Comparison {
  STRING_EQUALS("StringEquals", "StringNotEquals"),
  STRING_EQUALS_IGNORE_CASE("StringEqualsIgnoreCase", "StringNotEqualsIgnoreCase"),
  STRING_LIKE("StringLike", "StringNotLike"),
  NUMERIC_EQUALS("NumericEquals", "NumericNotEquals"),
  NUMERIC_LESS("NumericLessThan", ""),
  NUMERIC_LESS_EQUALS("NumericLessThanEquals", ""),
  NUMERIC_GREATER("NumericGreaterThan", ""),
  NUMERIC_GREATER_EQUALS("NumericGreaterThanEquals", ""),
  DATE_EQUALS("DateEquals", "DateNotEquals"),
  DATE_LESS("DateLessThan", ""),
  DATE_LESS_EQUALS("DateLessThanEquals", ""),
  DATE_GREATER("DateGreaterThan", ""),
  DATE_GREATER_EQUALS("DateGreaterThanEquals", ""),
  BOOL("Bool", ""),
  IP_ADDRESS("IpAddress", "NotIpAddress"),
  ARN_EQUALS("ArnEquals", "ArnNotEquals"),
  ARN_LIKE("ArnLike", "ArnNotLike");

  private static final Pattern NUMBER = Pattern.compile("[-+]?[0-9]{1,30}(\\.[0-9]{1,30})?");
  private static final Pattern EPOCH_SECONDS = Pattern.compile("-?[0-9]{1,11}");
  private static final int ARN_PARTS = 6;

  private final String text;
  private final String negation;

  Comparison(String text, String negation) {
    this.text = text;
    this.negation = negation;
  }

  /** In S3's words; an empty negation is none. */
  String text() {
    return text;
  }

  String negation() {
    return negation;
  }

  /** Whether a value of a request is one that the policy's value means. */
  Predicate<String> to(String wanted) throws MalformedPolicyException {
    return switch (this) {
      case STRING_EQUALS -> wanted::equals;
      case STRING_EQUALS_IGNORE_CASE -> ignoringCase(wanted);
      case STRING_LIKE -> Wildcard.of(wanted)::matches;
      case NUMERIC_EQUALS -> number(wanted, order -> order == 0);
      case NUMERIC_LESS -> number(wanted, order -> order < 0);
      case NUMERIC_LESS_EQUALS -> number(wanted, order -> order <= 0);
      case NUMERIC_GREATER -> number(wanted, order -> order > 0);
      case NUMERIC_GREATER_EQUALS -> number(wanted, order -> order >= 0);
      case DATE_EQUALS -> date(wanted, order -> order == 0);
      case DATE_LESS -> date(wanted, order -> order < 0);
      case DATE_LESS_EQUALS -> date(wanted, order -> order <= 0);
      case DATE_GREATER -> date(wanted, order -> order > 0);
      case DATE_GREATER_EQUALS -> date(wanted, order -> order >= 0);
      case BOOL -> bool(wanted);
      case IP_ADDRESS -> network(wanted);
      case ARN_EQUALS, ARN_LIKE -> arn(wanted);
    };
  }

  private static Predicate<String> ignoringCase(String wanted) {
    String lower = wanted.toLowerCase(Locale.ROOT);
    return value -> value.toLowerCase(Locale.ROOT).equals(lower);
  }

  private Predicate<String> number(String wanted, IntPredicate order)
      throws MalformedPolicyException {
    BigDecimal bound = numberOf(wanted).orElseThrow(() -> noValue(wanted, "a number"));
    return value -> numberOf(value).filter(n -> order.test(n.compareTo(bound))).isPresent();
  }

  private static Optional<BigDecimal> numberOf(String text) {
    return NUMBER.matcher(text).matches() ? Optional.of(new BigDecimal(text)) : Optional.empty();
  }

  private Predicate<String> date(String wanted, IntPredicate order)
      throws MalformedPolicyException {
    Instant bound =
        dateOf(wanted).orElseThrow(() -> noValue(wanted, "a date like 2030-01-31T12:00:00Z"));
    return value -> dateOf(value).filter(d -> order.test(d.compareTo(bound))).isPresent();
  }

  /** A day, a time of a day with its zone, or seconds since 1970. */
  private static Optional<Instant> dateOf(String text) {
    try {
      if (EPOCH_SECONDS.matcher(text).matches()) {
        return Optional.of(Instant.ofEpochSecond(Long.parseLong(text)));
      }
      return Optional.of(
          text.indexOf('T') < 0
              ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
              : OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private Predicate<String> bool(String wanted) throws MalformedPolicyException {
    if (!wanted.equalsIgnoreCase("true") && !wanted.equalsIgnoreCase("false")) {
      throw noValue(wanted, "true or false");
    }
    return wanted::equalsIgnoreCase;
  }

  private Predicate<String> network(String wanted) throws MalformedPolicyException {
    Subnet network;
    try {
      network = Subnet.parse(wanted);
    } catch (IllegalArgumentException e) {
      throw new MalformedPolicyException(text + " " + e.getMessage(), e);
    }
    return value -> network.contains(InetAddress.ofLiteral(value));
  }

  /** A star ends at a colon, but for those of the last part. */
  private Predicate<String> arn(String wanted) throws MalformedPolicyException {
    String[] patterns = wanted.split(":", ARN_PARTS);
    if (patterns.length < ARN_PARTS) {
      throw noValue(wanted, "an ARN of " + ARN_PARTS + " parts");
    }
    Wildcard[] parts = new Wildcard[ARN_PARTS];
    for (int i = 0; i < ARN_PARTS; i++) {
      parts[i] = Wildcard.of(patterns[i]);
    }
    return value -> {
      String[] values = value.split(":", ARN_PARTS);
      boolean holds = values.length == ARN_PARTS;
      for (int i = 0; holds && i < ARN_PARTS; i++) {
        holds = parts[i].matches(values[i]);
      }
      return holds;
    };
  }

  private MalformedPolicyException noValue(String wanted, String kind) {
    return new MalformedPolicyException(text + " needs " + kind + ", not " + wanted);
  }
}
