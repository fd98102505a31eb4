package io.s3rdma.bench;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What one client process got, what several got together, and how evenly. Not thread-safe. */
final class ProcessesResults implements Report {
  private static final double MIB = 1 << 20;
  private static final double TOTAL_BAR = 0.9;
  private static final double FAIRNESS_BAR = 1.2;

  private final Map<String, Object> facts;
  private final Samples one = new Samples();
  private final Samples several = new Samples();
  private final Samples total = new Samples();
  private final Samples fairness = new Samples();

  ProcessesResults(Map<String, Object> facts) {
    this.facts = facts;
  }

  /**
   * One round.
   *
   * @param alone bytes a second of the one process
   * @param each bytes a second of every one of several
   */
  void add(double alone, List<Double> each) {
    double sum = each.stream().mapToDouble(Double::doubleValue).sum();
    double most = each.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    double least = each.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    one.add(alone / MIB);
    several.add(sum / MIB);
    total.add(sum / alone);
    fairness.add(most / least);
  }

  /** The ratio of totals is held from below: several processes may do better. */
  List<Bar> bars() {
    return List.of(
        new Bar(
            "total of several by one", total.median(), total.quantile(1), TOTAL_BAR, true, true),
        new Bar(
            "most served by least served",
            fairness.median(),
            fairness.quantile(0),
            FAIRNESS_BAR,
            false,
            true));
  }

  @Override
  public boolean barsMet() {
    return bars().stream().allMatch(Bar::met);
  }

  @Override
  public void print(PrintWriter out) {
    facts.forEach((name, value) -> out.printf("%-16s %s%n", name, value));
    out.printf("%n%-28s %8s %8s %8s %8s%n", "", "median", "q25", "q75", "worst");
    print(out, "one process, MiB/s", one, 0);
    print(out, "several processes, MiB/s", several, 0);
    print(out, "total of several by one", total, 0);
    print(out, "most served by least served", fairness, 1);
    out.printf("%n%-58s %9s %9s%n", "ratio", "median", "best");
    bars().forEach(bar -> out.println(bar.show()));
    out.flush();
  }

  private static void print(PrintWriter out, String what, Samples samples, double worst) {
    out.printf(
        "%-28s %8.2f %8.2f %8.2f %8.2f%n",
        what,
        samples.median(),
        samples.quantile(0.25),
        samples.quantile(0.75),
        samples.quantile(worst));
  }

  @Override
  public Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("facts", facts);
    json.put("oneMibPerSecond", one.toJson());
    json.put("severalMibPerSecond", several.toJson());
    json.put("totalRatio", total.toJson());
    json.put("mostByLeast", fairness.toJson());
    json.put("bars", bars().stream().map(Bar::toJson).toList());
    return json;
  }
}
