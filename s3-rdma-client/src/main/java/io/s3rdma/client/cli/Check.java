package io.s3rdma.client.cli;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One line of the doctor.
 *
 * @param nextStep empty where there is nothing to do
 */
record Check(Status status, String name, String found, String nextStep) {
  enum Status {
    OK("ok"),
    /** Not needed, or not as good as it could be. */
    NOTE("note"),
    FAIL("FAIL");

    private final String text;

    Status(String text) {
      this.text = text;
    }
  }

  static Check ok(String name, String found) {
    return new Check(Status.OK, name, found, "");
  }

  static Check note(String name, String found, String nextStep) {
    return new Check(Status.NOTE, name, found, nextStep);
  }

  static Check fail(String name, String found, String nextStep) {
    return new Check(Status.FAIL, name, found, nextStep);
  }

  String line() {
    String step =
        nextStep.isEmpty() ? "" : System.lineSeparator() + " ".repeat(20) + "-> " + nextStep;
    return "%-4s  %-12s  %s%s".formatted(status.text, name, found, step);
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("check", name);
    json.put("status", status.text);
    json.put("found", found);
    json.put("nextStep", nextStep.isEmpty() ? null : nextStep);
    return json;
  }
}
