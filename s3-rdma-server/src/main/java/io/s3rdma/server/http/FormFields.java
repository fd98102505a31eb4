package io.s3rdma.server.http;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * The fields of a form that stand before its file, by name in lower case, each once: of two, the
 * policy might judge the one and the store keep the other. Shows no value. Immutable.
 */
final class FormFields {
  static final String ACCESS_KEY_ID = "awsaccesskeyid";
  static final String ACL = "acl";
  static final String ALGORITHM = "x-amz-algorithm";
  static final String BUCKET = "bucket";
  static final String CREDENTIAL = "x-amz-credential";
  static final String KEY = "key";
  static final String POLICY = "policy";
  static final String REDIRECT = "success_action_redirect";
  static final String SIGNATURE = "signature";
  static final String STATUS = "success_action_status";
  static final String TAGGING = "tagging";
  static final String V4_SIGNATURE = "x-amz-signature";

  /** What says who sends the form, and nothing of the object. */
  static final Set<String> AUTHENTICATION =
      Set.of(
          ACCESS_KEY_ID,
          ALGORITHM,
          CREDENTIAL,
          HttpNames.AMZ_DATE,
          POLICY,
          SIGNATURE,
          V4_SIGNATURE,
          "x-amz-security-token");

  private static final String FILE_NAME = "${filename}";

  private final Map<String, String> values;

  private FormFields(Map<String, String> values) {
    this.values = values;
  }

  Optional<String> first(String name) {
    return Optional.ofNullable(values.get(name));
  }

  boolean contains(String name) {
    return values.containsKey(name);
  }

  /** Refuses where there is none. */
  String required(String name) {
    return first(name)
        .orElseThrow(
            () ->
                new S3Exception(
                        S3ErrorCode.INVALID_ARGUMENT,
                        "the form needs a field '" + name + "', and that before the file")
                    .withDetail("ArgumentName", name));
  }

  void forEach(BiConsumer<String, String> action) {
    values.forEach(action);
  }

  /** With the name of the file where a value asks for it; of a path the last name counts. */
  FormFields withFileName(String sent) {
    int slash = Math.max(sent.lastIndexOf('/'), sent.lastIndexOf('\\'));
    String fileName = sent.substring(slash + 1);
    Map<String, String> named = new LinkedHashMap<>(values);
    named.replaceAll(
        (name, value) ->
            AUTHENTICATION.contains(name) ? value : value.replace(FILE_NAME, fileName));
    return new FormFields(named);
  }

  @Override
  public String toString() {
    return "FormFields" + values.keySet();
  }

  /** Collects fields in order. */
  static final class Builder {
    private final Map<String, String> values = new LinkedHashMap<>();
    private final int fieldsMax;

    Builder(int fieldsMax) {
      this.fieldsMax = fieldsMax;
    }

    void add(String name, String value) {
      String lower = name.toLowerCase(Locale.ROOT);
      if (values.put(lower, value) != null) {
        throw new S3Exception(S3ErrorCode.INVALID_ARGUMENT, "the form has a field twice")
            .withDetail("ArgumentName", lower);
      }
      if (values.size() > fieldsMax) {
        throw new S3Exception(
            S3ErrorCode.MAX_POST_PRE_DATA_LENGTH_EXCEEDED,
            "the form has more than " + fieldsMax + " fields before the file");
      }
    }

    FormFields build() {
      return new FormFields(values);
    }
  }
}
