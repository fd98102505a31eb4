package io.s3rdma.server.policy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/** One statement, read. */
record Statement(
    boolean denies,
    Principals principals,
    Set<PolicyAction> actions,
    Resources resources,
    List<Condition> conditions) {
  private static final Set<String> ELEMENTS =
      Set.of(
          "Sid",
          "Effect",
          "Principal",
          "Action",
          "NotAction",
          "Resource",
          "NotResource",
          "Condition");

  static Statement parse(JsonNode node, String version) throws MalformedPolicyException {
    if (!node.isObject()) {
      throw new MalformedPolicyException("a Statement must be an object");
    }
    if (node.has("NotPrincipal")) {
      throw new MalformedPolicyException(
          "NotPrincipal is not supported here; use Principal, or Deny with a condition on"
              + " aws:PrincipalArn");
    }
    PolicyReader.refuseOthers(node, ELEMENTS, "a Statement");
    boolean notAction = isSecondOf(node, "Action", "NotAction");
    boolean notResource = isSecondOf(node, "Resource", "NotResource");
    if (!node.has("Principal")) {
      throw new MalformedPolicyException("a Statement needs Principal");
    }
    Statement statement =
        new Statement(
            denies(node.path("Effect").asText()),
            Principals.parse(node.get("Principal")),
            Collections.unmodifiableSet(
                Actions.parse(node.get(notAction ? "NotAction" : "Action"), notAction)),
            Resources.parse(
                node.get(notResource ? "NotResource" : "Resource"), notResource, version),
            node.has("Condition")
                ? List.copyOf(Condition.parse(node.get("Condition"), version))
                : List.of());
    statement.requireConditionsApply();
    return statement;
  }

  private static boolean denies(String effect) throws MalformedPolicyException {
    return switch (effect) {
      case "Deny" -> true;
      case "Allow" -> false;
      default -> throw new MalformedPolicyException("Effect must be Allow or Deny");
    };
  }

  private static boolean isSecondOf(JsonNode node, String first, String second)
      throws MalformedPolicyException {
    if (node.has(first) == node.has(second)) {
      throw new MalformedPolicyException("a Statement needs either " + first + " or " + second);
    }
    return node.has(second);
  }

  /** A Deny on what none of its requests has would never hold. */
  private void requireConditionsApply() throws MalformedPolicyException {
    for (Condition condition : conditions) {
      if (Collections.disjoint(actions, condition.actions()) && !actions.isEmpty()) {
        throw new MalformedPolicyException(
            "the condition key "
                + condition.key().text()
                + " applies to no action of its statement");
      }
    }
  }

  /** How the caller is among those that the statement is about, in this very question. */
  Principals.Match match(Question question) {
    if (!actions.contains(question.action())) {
      return Principals.Match.NOT;
    }
    Principals.Match match = principals.match(question.caller());
    boolean applies =
        match != Principals.Match.NOT && resources.match(question.resource()) && hold(question);
    return applies ? match : Principals.Match.NOT;
  }

  private boolean hold(Question question) {
    for (Condition condition : conditions) {
      if (!condition.holds(question.values(), !denies)) {
        return false;
      }
    }
    return true;
  }
}
