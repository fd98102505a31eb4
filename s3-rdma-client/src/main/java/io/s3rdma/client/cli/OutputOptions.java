package io.s3rdma.client.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.util.Map;
import picocli.CommandLine.Option;

/** How results are told. */
final class OutputOptions {
  static final String VERBOSE = "--verbose";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @Option(names = "--json", description = "one JSON object a result, on one line")
  private boolean json;

  @Option(names = VERBOSE, description = "stack traces of errors")
  @SuppressWarnings("UnusedVariable") // read by name where errors are told
  private boolean verbose;

  boolean json() {
    return json;
  }

  /** Tells one result. */
  void print(PrintWriter out, String text, Map<String, ?> object) {
    out.println(json ? toJson(object) : text);
    out.flush();
  }

  static String toJson(Map<String, ?> object) {
    try {
      return MAPPER.writeValueAsString(object);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
