package io.s3rdma.server.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.charset.CharacterCodingException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the holder of a key allows whoever has the form: until when, with which fields, how many
 * bytes. A document that is not understood to the last word is refused (InvalidPolicyDocument); one
 * that does not allow the form refuses it (AccessDenied).
 *
 * @param lengths of the file
 */
record FormPolicy(Instant expiration, List<FormCondition> conditions, LengthRange lengths) {
  private static final ObjectReader JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build()
          .readerFor(JsonNode.class);
  private static final String EXPIRATION = "expiration";
  private static final String CONDITIONS = "conditions";
  private static final String LENGTH_RANGE = "content-length-range";
  private static final String IGNORED_PREFIX = "x-ignore-";

  /** Fields that a policy cannot name, since they are about it. */
  private static final Set<String> UNCOVERED =
      Set.of(
          FormFields.POLICY,
          FormFields.SIGNATURE,
          FormFields.ACCESS_KEY_ID,
          FormFields.V4_SIGNATURE);

  /** {@code base64} is the field as it was sent. */
  static FormPolicy parse(String base64) {
    JsonNode root = json(base64);
    if (!root.isObject()
        || root.size() != 2
        || !root.path(EXPIRATION).isTextual()
        || !root.path(CONDITIONS).isArray()) {
      throw invalid("it must be an object of 'expiration' and 'conditions', and nothing else");
    }
    List<FormCondition> conditions = new ArrayList<>();
    LengthRange lengths = LengthRange.ANY;
    for (JsonNode condition : root.get(CONDITIONS)) {
      if (LENGTH_RANGE.equalsIgnoreCase(condition.path(0).asText())) {
        lengths = lengths.and(lengthRange(condition));
      } else {
        conditions.add(condition.isArray() ? listed(condition) : simple(condition));
      }
    }
    return new FormPolicy(expiration(root), List.copyOf(conditions), lengths);
  }

  /** Refuses a form that the policy does not allow; {@code bucket} is the one it was sent to. */
  void require(Instant now, FormFields fields, String bucket) {
    if (!now.isBefore(expiration)) {
      throw denied("it has expired");
    }
    Set<String> covered = new HashSet<>();
    for (FormCondition condition : conditions) {
      String field = condition.field();
      String value = field.equals(FormFields.BUCKET) ? bucket : fields.first(field).orElse("");
      if (!condition.holds(value)) {
        throw denied("its condition on " + field + " does not hold");
      }
      covered.add(field);
    }
    Set<String> extra = new TreeSet<>(Set.of(FormFields.BUCKET));
    fields.forEach((name, value) -> extra.add(name));
    extra.removeAll(covered);
    extra.removeIf(FormPolicy::needsNoCondition);
    if (!extra.isEmpty()) {
      throw denied("it has no condition on " + String.join(", ", extra));
    }
  }

  /** A checksum says nothing but that the bytes are those that were sent. */
  private static boolean needsNoCondition(String field) {
    return UNCOVERED.contains(field)
        || field.startsWith(IGNORED_PREFIX)
        || field.startsWith(HttpNames.AMZ_CHECKSUM_PREFIX);
  }

  private static JsonNode json(String base64) {
    try {
      return JSON.readTree(StrictUtf8.decode(Base64.getDecoder().decode(base64)));
    } catch (IllegalArgumentException e) {
      throw invalid("it is not base64", e);
    } catch (CharacterCodingException e) {
      throw invalid("it is not UTF-8", e);
    } catch (JsonProcessingException e) {
      throw invalid("it is not JSON: " + e.getOriginalMessage(), e);
    }
  }

  private static Instant expiration(JsonNode root) {
    String text = root.get(EXPIRATION).textValue();
    try {
      if (text.endsWith("Z")) {
        return Instant.parse(text);
      }
    } catch (DateTimeException e) {
      throw invalid("its expiration is not of the form 2030-12-31T23:59:59Z", e);
    }
    throw invalid("its expiration is not of the form 2030-12-31T23:59:59Z");
  }

  /** {@code {"acl": "private"}}. */
  private static FormCondition simple(JsonNode condition) {
    if (!condition.isObject()
        || condition.size() != 1
        || !condition.elements().next().isTextual()) {
      throw invalid("a condition in braces must have one field and its text");
    }
    String field = condition.fieldNames().next();
    return new FormCondition(lower(field), false, condition.get(field).textValue());
  }

  /** {@code ["starts-with", "$key", "user/"]}. */
  private static FormCondition listed(JsonNode condition) {
    String operator = lower(condition.path(0).asText());
    String field = condition.path(1).asText();
    boolean known = operator.equals("eq") || operator.equals("starts-with");
    if (!known
        || condition.size() != 3
        || !field.startsWith("$")
        || !condition.get(2).isTextual()) {
      throw invalid(
          "a condition in brackets must be eq or starts-with, $ with a field, and a text; or "
              + LENGTH_RANGE
              + " and two numbers");
    }
    String value = condition.get(2).textValue();
    return new FormCondition(lower(field.substring(1)), operator.equals("starts-with"), value);
  }

  private static LengthRange lengthRange(JsonNode condition) {
    if (condition.size() != 3) {
      throw invalid(LENGTH_RANGE + " needs two numbers");
    }
    LengthRange range = new LengthRange(number(condition.get(1)), number(condition.get(2)));
    if (range.min() > range.max()) {
      throw invalid(LENGTH_RANGE + " ends before it begins");
    }
    return range;
  }

  /** Some write it as text. */
  private static long number(JsonNode node) {
    String digits = node.isIntegralNumber() || node.isTextual() ? node.asText() : "";
    if (!digits.matches("[0-9]{1,18}")) {
      throw invalid(LENGTH_RANGE + " needs two numbers");
    }
    return Long.parseLong(digits);
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  private static S3Exception invalid(String why) {
    return invalid(why, null);
  }

  private static S3Exception invalid(String why, Exception cause) {
    return new S3Exception(
        S3ErrorCode.INVALID_POLICY_DOCUMENT, "the form's policy is not valid: " + why, cause);
  }

  private static S3Exception denied(String why) {
    return new S3Exception(
        S3ErrorCode.ACCESS_DENIED, "the form's policy does not allow this: " + why);
  }
}
