package io.s3rdma.server.http;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The head of one part of a form (RFC 7578).
 *
 * @param name never empty
 * @param fileName as the browser sent it, perhaps with a path; empty where there is none
 */
record PartHead(String name, String fileName) {
  private static final String ENCODING = "content-transfer-encoding";
  private static final Set<String> AS_IT_IS = Set.of("binary", "8bit", "7bit");

  /** {@code text} is the head's lines with a line's end between them. */
  static PartHead parse(String text) {
    Map<String, String> lines = new HashMap<>();
    for (String line : text.split("\r\n", -1)) {
      if (!line.isEmpty()) {
        add(lines, line);
      }
    }
    if (!AS_IT_IS.contains(lines.getOrDefault(ENCODING, "binary").toLowerCase(Locale.ROOT))) {
      throw HeaderParameters.malformed("a part's Content-Transfer-Encoding must be binary");
    }
    String disposition = lines.getOrDefault(HttpNames.CONTENT_DISPOSITION, "");
    Map<String, String> parameters = HeaderParameters.of(disposition);
    String name = parameters.getOrDefault("name", "");
    if (name.isEmpty() || !HeaderParameters.main(disposition).equals("form-data")) {
      throw HeaderParameters.malformed("a part needs Content-Disposition: form-data; name=\"...\"");
    }
    return new PartHead(name, parameters.getOrDefault("filename", ""));
  }

  private static void add(Map<String, String> lines, String line) {
    if (HeaderParameters.hasControls(line)) {
      throw HeaderParameters.malformed("a part's head holds control characters");
    }
    int colon = line.indexOf(':');
    if (colon < 1 || !HeaderParameters.isToken(line.substring(0, colon))) {
      throw HeaderParameters.malformed("a line of a part's head is not of the form name: value");
    }
    String name = line.substring(0, colon).toLowerCase(Locale.ROOT);
    if (lines.put(name, line.substring(colon + 1).strip()) != null) {
      throw HeaderParameters.malformed("a part's head has " + name + " twice");
    }
  }
}
