package io.s3rdma.bench;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One figure beside what it is held against.
 *
 * @param median of the medians of both sides
 * @param best of the best rounds: other users of the machine only slow things down
 * @param bar what the median must reach
 * @param atLeast whether the bar is a least value; else it is a greatest one
 * @param counts whether a bar that is not met is a failure; the others are for reading
 */
record Bar(String what, double median, double best, double bar, boolean atLeast, boolean counts) {
  boolean met() {
    return atLeast ? median >= bar : median <= bar;
  }

  String show() {
    String line = "%-58s %9.2f %9.2f".formatted(what, median, best);
    if (!counts) {
      return line;
    }
    String relation = atLeast ? ">=" : "<=";
    return line + "   %s %.1f: %s".formatted(relation, bar, met() ? "met" : "NOT met");
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("what", what);
    json.put("ofMedians", median);
    json.put("ofBest", best);
    json.put("bar", counts ? bar : null);
    json.put("met", counts ? met() : null);
    return json;
  }
}
