package io.s3rdma.server.policy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** JSON to statements. Strict: what is not known is refused, since nobody could keep to it. */
final class PolicyReader {
  private static final int DEPTH_MAX = 8;
  private static final int NAME_CHARS_MAX = 1024;
  private static final int NUMBER_CHARS_MAX = 64;
  private static final String FIRST_VERSION = "2008-10-17";
  private static final Set<String> VERSIONS = Set.of(FIRST_VERSION, "2012-10-17");
  private static final Set<String> ELEMENTS = Set.of("Version", "Id", "Statement");
  private static final ObjectMapper JSON = new ObjectMapper(strict());

  private PolicyReader() {}

  private static JsonFactory strict() {
    return new JsonFactoryBuilder()
        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
        // Whoever sends a policy may choose its names.
        .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
        .streamReadConstraints(
            StreamReadConstraints.builder()
                .maxNestingDepth(DEPTH_MAX)
                .maxNameLength(NAME_CHARS_MAX)
                .maxNumberLength(NUMBER_CHARS_MAX)
                .build())
        .build();
  }

  static List<Statement> read(String document) throws MalformedPolicyException {
    JsonNode root = parse(document);
    if (root == null || !root.isObject()) {
      throw new MalformedPolicyException("a policy is a JSON object");
    }
    refuseOthers(root, ELEMENTS, "a policy");
    String version = root.has("Version") ? root.get("Version").asText() : FIRST_VERSION;
    if (!VERSIONS.contains(version)) {
      throw new MalformedPolicyException("Version must be one of " + VERSIONS);
    }
    requireText(root, "Id");
    JsonNode statement = root.path("Statement");
    List<Statement> statements = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (JsonNode one : statement.isArray() ? statement : List.of(statement)) {
      statements.add(Statement.parse(one, version));
      requireText(one, "Sid");
      if (one.has("Sid") && !names.add(one.get("Sid").asText())) {
        throw new MalformedPolicyException("two statements have the Sid " + one.get("Sid"));
      }
    }
    if (statements.isEmpty()) {
      throw new MalformedPolicyException("a policy needs a Statement");
    }
    return List.copyOf(statements);
  }

  private static JsonNode parse(String document) throws MalformedPolicyException {
    try {
      return JSON.reader().with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).readTree(document);
    } catch (JsonProcessingException e) {
      throw new MalformedPolicyException("not valid JSON: " + e.getOriginalMessage(), e);
    }
  }

  private static void requireText(JsonNode node, String element) throws MalformedPolicyException {
    if (node.has(element) && !node.get(element).isTextual()) {
      throw new MalformedPolicyException(element + " must be a text");
    }
  }

  static void refuseOthers(JsonNode node, Set<String> known, String where)
      throws MalformedPolicyException {
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      if (!known.contains(field.getKey())) {
        throw new MalformedPolicyException(where + " has no element " + field.getKey());
      }
    }
  }
}
