package io.s3rdma.server.policy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * Buckets and objects that a statement is about.
 *
 * @param patterns of what stands behind {@code arn:aws:s3:::}
 * @param others whether it is about all but these
 */
record Resources(List<Wildcard> patterns, boolean others) {
  private static final String ARN_PREFIX = "arn:aws:s3:::";
  private static final String VARIABLE = "${";
  // Before it a policy had no variables, so the characters are themselves.
  private static final String VARIABLES_SINCE = "2012-10-17";

  static Resources parse(JsonNode node, boolean others, String version)
      throws MalformedPolicyException {
    List<Wildcard> patterns = new ArrayList<>();
    for (String text : Texts.of(node, others ? "NotResource" : "Resource")) {
      refuseVariable(text, version);
      if (!text.startsWith(ARN_PREFIX) || text.length() == ARN_PREFIX.length()) {
        throw new MalformedPolicyException(
            "the resource "
                + text
                + " is not "
                + ARN_PREFIX
                + "BUCKET or "
                + ARN_PREFIX
                + "BUCKET/KEY");
      }
      patterns.add(Wildcard.of(text.substring(ARN_PREFIX.length())));
    }
    return new Resources(List.copyOf(patterns), others);
  }

  static void refuseVariable(String text, String version) throws MalformedPolicyException {
    if (version.equals(VARIABLES_SINCE) && text.contains(VARIABLE)) {
      throw new MalformedPolicyException("policy variables are not supported here: " + text);
    }
  }

  boolean match(String resource) {
    for (Wildcard pattern : patterns) {
      if (pattern.matches(resource)) {
        return !others;
      }
    }
    return others;
  }

  /** A resource of another bucket in a bucket's policy is a mistake. */
  void requireOf(String bucket) throws MalformedPolicyException {
    for (Wildcard pattern : patterns) {
      if (!pattern.matches(bucket) && !pattern.matchesBeginning(bucket + '/')) {
        throw new MalformedPolicyException(
            "the resource " + ARN_PREFIX + pattern + " is not of the bucket " + bucket);
      }
    }
  }
}
