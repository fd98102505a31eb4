package io.s3rdma.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All rows of a comparison, their ratios, the table and the JSON. Not thread-safe. */
final class Results {
  private static final double BAR = 0.8;
  private static final long BAR_FROM_BYTES = 16L << 20;

  /** Size 0: the row does not depend on it. */
  private record Key(String what, long size) {}

  /**
   * A row held against the fastest of several.
   *
   * @param ratio of medians; the bar is about this one
   * @param fastest of the fastest rounds: other users of the machine only slow things down
   * @param counts whether the bar applies
   */
  private record Ratio(
      String what, long size, String against, double ratio, double fastest, boolean counts) {
    boolean met() {
      return !counts || ratio >= BAR;
    }
  }

  private final FabricPlan plan;
  private final Map<Key, Measured> rows = new LinkedHashMap<>();
  private final Map<String, Samples> millis = new LinkedHashMap<>();
  private Map<String, Object> facts = Map.of();

  Results(FabricPlan plan) {
    this.plan = plan;
  }

  void facts(Map<String, Object> host) {
    facts = host;
  }

  Measured row(String what, long size) {
    return rows.computeIfAbsent(new Key(what, size), k -> new Measured());
  }

  Samples millis(String what) {
    return millis.computeIfAbsent(what, k -> new Samples());
  }

  private List<Ratio> ratios() {
    List<Ratio> ratios = new ArrayList<>();
    for (long size : plan.sizes()) {
      boolean counts = size >= BAR_FROM_BYTES;
      compare(ratios, "GET rdma", size, List.of("ib_write_bw"), counts);
      compare(ratios, "GET rdma", size, List.of("probe WRITE"), false);
      compare(ratios, "PUT rdma", size, List.of("ib_read_bw", "ib_read_bw -e"), counts);
      compare(ratios, "PUT rdma", size, List.of("probe READ"), false);
      compare(ratios, "PUT rdma, commit", size, List.of("ib_read_bw", "ib_read_bw -e"), false);
    }
    return ratios;
  }

  private void compare(
      List<Ratio> into, String what, long size, List<String> against, boolean counts) {
    String best = null;
    for (String other : against) {
      boolean measured = rows.containsKey(new Key(other, 0));
      if (measured && (best == null || median(other, 0) > median(best, 0))) {
        best = other;
      }
    }
    if (best != null) {
      double ratio = median(what, size) / median(best, 0);
      double fastest = fastest(what, size) / fastest(best, 0);
      into.add(new Ratio(what, size, best, ratio, fastest, counts));
    }
  }

  private double median(String what, long size) {
    return row(what, size).rate().median();
  }

  private double fastest(String what, long size) {
    return row(what, size).rate().quantile(1);
  }

  boolean barsMet() {
    return ratios().stream().allMatch(Ratio::met);
  }

  void print(PrintWriter out) {
    facts.forEach((name, value) -> out.printf("%-16s %s%n", name, value));
    out.printf(
        "%n%-18s %-8s %8s %8s %8s %8s %8s   %s%n",
        "MiB/s", "size", "median", "q25", "q75", "min", "max", "CPU s/GB client, server");
    rows.forEach((key, row) -> print(out, key, row));
    out.printf("%n%-18s %17s %8s %8s%n", "milliseconds", "median", "q25", "q75");
    millis.forEach(
        (what, samples) ->
            out.printf(
                "%-18s %17.2f %8.2f %8.2f%n",
                what, samples.median(), samples.quantile(0.25), samples.quantile(0.75)));
    out.printf("%n%-18s %-8s %8s %8s   %s%n", "ratio", "size", "medians", "fastest", "against");
    ratios()
        .forEach(
            r ->
                out.printf(
                    "%-18s %-8s %8.2f %8.2f   %s%s%n",
                    r.what, ByteCount.show(r.size), r.ratio, r.fastest, r.against, judgement(r)));
    out.flush();
  }

  private static void print(PrintWriter out, Key key, Measured row) {
    Samples rate = row.rate();
    out.printf(
        "%-18s %-8s %8.1f %8.1f %8.1f %8.1f %8.1f   %s%n",
        key.what,
        key.size == 0 ? "" : ByteCount.show(key.size),
        rate.median(),
        rate.quantile(0.25),
        rate.quantile(0.75),
        rate.quantile(0),
        rate.quantile(1),
        row.hasCpu()
            ? "%.2f, %.2f".formatted(row.clientSecondsPerGb(), row.serverSecondsPerGb())
            : "");
  }

  private static String judgement(Ratio ratio) {
    if (!ratio.counts) {
      return "";
    }
    return ratio.met() ? ", bar 0.8: met" : ", bar 0.8: NOT met";
  }

  void write(Path file) throws IOException {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("facts", facts);
    List<Map<String, Object>> all = new ArrayList<>();
    rows.forEach(
        (key, row) -> {
          Map<String, Object> one = new LinkedHashMap<>();
          one.put("what", key.what);
          one.put("sizeBytes", key.size);
          one.putAll(row.toJson());
          all.add(one);
        });
    json.put("rows", all);
    Map<String, Object> fixed = new LinkedHashMap<>();
    millis.forEach((what, samples) -> fixed.put(what, samples.toJson()));
    json.put("milliseconds", fixed);
    json.put("ratios", ratios().stream().map(Results::toJson).toList());
    new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), json);
  }

  private static Map<String, Object> toJson(Ratio ratio) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("what", ratio.what);
    json.put("sizeBytes", ratio.size);
    json.put("against", ratio.against);
    json.put("ratioOfMedians", ratio.ratio);
    json.put("ratioOfFastest", ratio.fastest);
    json.put("bar", ratio.counts ? BAR : null);
    json.put("met", ratio.counts ? ratio.met() : null);
    return json;
  }
}
