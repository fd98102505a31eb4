package io.s3rdma.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the rounds of one measurement gave, in order. Not thread-safe. */
final class Samples {
  private final List<Double> values = new ArrayList<>();

  void add(double value) {
    values.add(value);
  }

  boolean isEmpty() {
    return values.isEmpty();
  }

  double median() {
    return quantile(0.5);
  }

  /** By linear interpolation between the two nearest samples. */
  double quantile(double q) {
    if (values.isEmpty()) {
      return Double.NaN;
    }
    List<Double> sorted = values.stream().sorted().toList();
    double at = q * (sorted.size() - 1);
    int below = (int) at;
    int above = Math.min(below + 1, sorted.size() - 1);
    return sorted.get(below) + (at - below) * (sorted.get(above) - sorted.get(below));
  }

  List<Double> all() {
    return List.copyOf(values);
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("median", median());
    json.put("q25", quantile(0.25));
    json.put("q75", quantile(0.75));
    json.put("min", quantile(0));
    json.put("max", quantile(1));
    json.put("rounds", all());
    return json;
  }
}
