package io.s3rdma.server.policy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * One operator on one key, with the values that the policy lists.
 *
 * @param wanted any of these is enough
 * @param fixed the values as they stand, for what a public policy is
 */
record Condition(
    Operator operator, ConditionKey key, List<Predicate<String>> wanted, List<String> fixed) {
  private static final Set<PolicyAction> OBJECT_VERSIONS =
      EnumSet.of(
          PolicyAction.DELETE_OBJECT_VERSION,
          PolicyAction.DELETE_OBJECT_VERSION_TAGGING,
          PolicyAction.GET_OBJECT_VERSION,
          PolicyAction.GET_OBJECT_VERSION_ACL,
          PolicyAction.GET_OBJECT_VERSION_ATTRIBUTES,
          PolicyAction.GET_OBJECT_VERSION_TAGGING,
          PolicyAction.PUT_OBJECT_VERSION_ACL,
          PolicyAction.PUT_OBJECT_VERSION_TAGGING);

  /** Those that look at an object that is there. */
  private static final Set<PolicyAction> TAGGED =
      EnumSet.of(
          PolicyAction.DELETE_OBJECT_TAGGING,
          PolicyAction.DELETE_OBJECT_VERSION_TAGGING,
          PolicyAction.GET_OBJECT,
          PolicyAction.GET_OBJECT_ACL,
          PolicyAction.GET_OBJECT_ATTRIBUTES,
          PolicyAction.GET_OBJECT_TAGGING,
          PolicyAction.GET_OBJECT_VERSION,
          PolicyAction.GET_OBJECT_VERSION_ACL,
          PolicyAction.GET_OBJECT_VERSION_ATTRIBUTES,
          PolicyAction.GET_OBJECT_VERSION_TAGGING,
          PolicyAction.PUT_OBJECT_ACL,
          PolicyAction.PUT_OBJECT_TAGGING,
          PolicyAction.PUT_OBJECT_VERSION_ACL,
          PolicyAction.PUT_OBJECT_VERSION_TAGGING);

  static List<Condition> parse(JsonNode node, String version) throws MalformedPolicyException {
    List<Condition> conditions = new ArrayList<>();
    for (Map.Entry<String, JsonNode> byOperator : fields(node, "Condition")) {
      Operator operator = Operator.parse(byOperator.getKey());
      for (Map.Entry<String, JsonNode> byKey : fields(byOperator.getValue(), byOperator.getKey())) {
        ConditionKey key = ConditionKey.parse(byKey.getKey());
        List<String> values = Texts.ofScalars(byKey.getValue(), byKey.getKey());
        for (String value : values) {
          Resources.refuseVariable(value, version);
        }
        conditions.add(new Condition(operator, key, operator.wanted(values), values));
      }
    }
    return conditions;
  }

  private static Set<Map.Entry<String, JsonNode>> fields(JsonNode node, String element)
      throws MalformedPolicyException {
    if (!node.isObject() || node.isEmpty()) {
      throw new MalformedPolicyException(element + " must be an object that is not empty");
    }
    return node.properties();
  }

  /** {@code otherwise} is what an undecided value means. */
  boolean holds(RequestValues request, boolean otherwise) {
    return request.isUndecided(key) ? otherwise : operator.holds(request.of(key), wanted);
  }

  /** The actions whose requests may have the key; all for most keys. */
  Set<PolicyAction> actions() {
    return switch (key.kind()) {
      case PREFIX, DELIMITER, MAX_KEYS ->
          EnumSet.of(
              PolicyAction.LIST_BUCKET,
              PolicyAction.LIST_BUCKET_VERSIONS,
              PolicyAction.LIST_BUCKET_MULTIPART_UPLOADS);
      case VERSION_ID -> OBJECT_VERSIONS;
      case EXISTING_OBJECT_TAG -> TAGGED;
      case REQUEST_OBJECT_TAG, REQUEST_OBJECT_TAG_KEYS ->
          EnumSet.of(
              PolicyAction.PUT_OBJECT,
              PolicyAction.PUT_OBJECT_TAGGING,
              PolicyAction.PUT_OBJECT_VERSION_TAGGING);
      case X_AMZ_ACL ->
          EnumSet.of(
              PolicyAction.PUT_OBJECT,
              PolicyAction.PUT_OBJECT_ACL,
              PolicyAction.PUT_OBJECT_VERSION_ACL,
              PolicyAction.PUT_BUCKET_ACL);
      case X_AMZ_COPY_SOURCE, X_AMZ_METADATA_DIRECTIVE, X_AMZ_STORAGE_CLASS ->
          EnumSet.of(PolicyAction.PUT_OBJECT);
      default -> EnumSet.allOf(PolicyAction.class);
    };
  }
}
