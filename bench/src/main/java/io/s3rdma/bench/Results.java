package io.s3rdma.bench;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All rows of a comparison, their ratios, the table and the JSON. Not thread-safe. */
final class Results implements Report {
  /** Size 0: the row does not depend on it. */
  private record Key(String what, long size) {}

  /**
   * A row held against the fastest of several.
   *
   * @param ratio of medians; the bar is about this one
   * @param fastest of the fastest rounds: other users of the machine only slow things down
   * @param bar what the ratio of medians must reach; 0: there is none
   */
  private record Ratio(
      String what, long size, String against, double ratio, double fastest, double bar) {
    boolean met() {
      return ratio >= bar;
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
    List<String> write = List.of("ib_write_bw");
    List<String> read = List.of("ib_read_bw", "ib_read_bw -e");
    int connections = plan.connections();
    for (long size : plan.sizes()) {
      compare(ratios, "GET rdma", size, write, FabricBars.get(size, connections));
      compare(ratios, "GET rdma", size, List.of("probe WRITE"), 0);
      compare(ratios, "PUT rdma", size, read, FabricBars.put(size, connections));
      compare(ratios, "PUT rdma", size, List.of("probe READ"), 0);
      double commit = FabricBars.putCommit(size, connections);
      compare(ratios, "PUT rdma, commit", size, read, commit);
    }
    return ratios;
  }

  private void compare(List<Ratio> into, String what, long size, List<String> against, double bar) {
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
      into.add(new Ratio(what, size, best, ratio, fastest, bar));
    }
  }

  private double median(String what, long size) {
    return row(what, size).rate().median();
  }

  private double fastest(String what, long size) {
    return row(what, size).rate().quantile(1);
  }

  @Override
  public boolean barsMet() {
    return ratios().stream().allMatch(Ratio::met);
  }

  @Override
  public void print(PrintWriter out) {
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
    if (ratio.bar == 0) {
      return "";
    }
    return ", bar %.2f: %s".formatted(ratio.bar, ratio.met() ? "met" : "NOT met");
  }

  @Override
  public Map<String, Object> toJson() {
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
    return json;
  }

  private static Map<String, Object> toJson(Ratio ratio) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("what", ratio.what);
    json.put("sizeBytes", ratio.size);
    json.put("against", ratio.against);
    json.put("ratioOfMedians", ratio.ratio);
    json.put("ratioOfFastest", ratio.fastest);
    json.put("bar", ratio.bar == 0 ? null : ratio.bar);
    json.put("met", ratio.bar == 0 ? null : ratio.met());
    return json;
  }
}
