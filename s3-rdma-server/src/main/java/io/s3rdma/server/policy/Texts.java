package io.s3rdma.server.policy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** An element that is one text or a list of texts. */
final class Texts {
  private Texts() {}

  static List<String> of(JsonNode node, String element) throws MalformedPolicyException {
    return of(node, element, false);
  }

  /** The same for an element that may hold numbers and booleans. */
  static List<String> ofScalars(JsonNode node, String element) throws MalformedPolicyException {
    return of(node, element, true);
  }

  private static List<String> of(JsonNode node, String element, boolean scalars)
      throws MalformedPolicyException {
    List<String> texts = new ArrayList<>();
    Iterable<JsonNode> items = node.isArray() ? node : List.of(node);
    for (JsonNode item : items) {
      boolean may = item.isTextual() || (scalars && (item.isNumber() || item.isBoolean()));
      if (!may) {
        throw new MalformedPolicyException(element + " must be a text or a list of texts");
      }
      texts.add(item.asText());
    }
    if (texts.isEmpty()) {
      throw new MalformedPolicyException(element + " must not be empty");
    }
    return texts;
  }
}
