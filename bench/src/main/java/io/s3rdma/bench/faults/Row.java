package io.s3rdma.bench.faults;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What came of one scenario.
 *
 * @param leaks what did not come back, from and to
 * @param wrong what must never be
 */
record Row(
    Scenario scenario, Tally tally, Map<String, String> leaks, List<String> wrong, double seconds) {
  static final String HEAD =
      "%-15s %9s %7s %6s %8s %9s %8s %7s  %s"
          .formatted(
              "scenario",
              "transfers",
              "exact",
              "HTTP",
              "retries",
              "failures",
              "slowest",
              "s",
              "verdict");

  boolean holds() {
    return leaks.isEmpty() && wrong.isEmpty();
  }

  String line() {
    long failures = tally.failed();
    StringBuilder line =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "%-15s %9d %7d %6d %8d %9d %6.1f s %7.1f  %s",
                scenario.name(),
                tally.transfers(),
                tally.exact(),
                tally.byHttp(),
                tally.retries(),
                failures,
                tally.slowestSeconds(),
                seconds,
                holds() ? "holds" : "BROKEN"));
    if (failures > 0) {
      more(
          line,
          "failures",
          tally.failures().entrySet().stream()
              .map(f -> f.getValue() + " " + f.getKey())
              .collect(Collectors.joining(", ")));
    }
    leaks.forEach((name, change) -> more(line, "LEAK", name + " " + change));
    wrong.forEach(what -> more(line, "WRONG", what));
    return line.toString();
  }

  private static void more(StringBuilder line, String kind, String text) {
    line.append(System.lineSeparator()).append("    ").append(kind).append(": ").append(text);
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>(tally.json());
    json.put("scenario", scenario.name());
    json.put("retries", tally.retries());
    json.put("leaks", leaks);
    json.put("wrong", wrong);
    json.put("seconds", seconds);
    json.put("holds", holds());
    return json;
  }
}
