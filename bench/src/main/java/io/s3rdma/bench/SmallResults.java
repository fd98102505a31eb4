package io.s3rdma.bench;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The tables and the JSON of a run. */
final class SmallResults implements Report {
  /** Microseconds of CPU for a 64 KiB RDMA GET, client and server, without the device. */
  static final double BAR_MICROS = 100;

  static final long BAR_BYTES = 65_536;

  private final List<SmallRow> rows;
  private final boolean ofBar;
  private final Map<String, Object> facts;

  /**
   * @param fake whether the device is the fake one, for which the bar is
   */
  SmallResults(List<SmallRow> rows, boolean fake, Map<String, Object> facts) {
    this.rows = rows;
    this.ofBar = fake;
    this.facts = facts;
  }

  @Override
  public void print(PrintWriter out) {
    out.printf("%nmicroseconds a GET (medians of the rounds)%n");
    out.printf("%-16s %8s %9s %17s", "", "latency", "software", "q25-q75");
    for (Part part : Part.values()) {
      out.printf(" %11.11s", part.label());
    }
    out.println();
    for (SmallRow row : rows) {
      out.printf(
          "%-5s %10d %8.1f %9.1f %8.1f-%8.1f",
          row.way(),
          row.bytes(),
          row.latency().median(),
          row.software().median(),
          row.software().quantile(0.25),
          row.software().quantile(0.75));
      for (Part part : Part.values()) {
        out.printf(" %11.1f", row.cpu(part).median());
      }
      out.println();
    }
    rows.forEach(row -> printStages(row, out));
    out.printf("%n%-58s %9s %9s%n", "", "medians", "best");
    bars().forEach(bar -> out.println(bar.show()));
    out.flush();
  }

  private static void printStages(SmallRow row, PrintWriter out) {
    if (row.stages().isEmpty()) {
      return;
    }
    out.printf("%nstages of %s %d, CPU microseconds%n", row.way(), row.bytes());
    row.stages()
        .forEach(
            (stage, micros) ->
                out.printf("  %-8s %-28s %7.1f%n", stage.part().label(), stage.label(), micros));
  }

  private List<Bar> bars() {
    List<Bar> bars = new ArrayList<>();
    for (SmallRow row : rows) {
      if (row.way().equals(CpuResults.RDMA)) {
        if (row.bytes() == BAR_BYTES) {
          bars.add(software(row));
        }
        rows.stream()
            .filter(other -> other.way().equals(CpuResults.HTTP) && other.bytes() == row.bytes())
            .forEach(http -> bars.addAll(against(http, row)));
      }
    }
    return bars;
  }

  /** Only of software: what a real device's driver does is in no bar. */
  private Bar software(SmallRow row) {
    Samples micros = row.software();
    String what = "software of a 64 KiB RDMA GET, CPU microseconds";
    return new Bar(what, micros.median(), micros.quantile(0), BAR_MICROS, false, ofBar);
  }

  private static List<Bar> against(SmallRow http, SmallRow rdma) {
    return List.of(
        CpuResults.client(http.way(), rdma.bytes(), ratio(http, rdma, Part.CLIENT)),
        CpuResults.server(rdma.bytes(), ratio(http, rdma, Part.SERVER)));
  }

  private static double ratio(SmallRow http, SmallRow rdma, Part part) {
    return http.cpu(part).median() / rdma.cpu(part).median();
  }

  @Override
  public boolean barsMet() {
    return bars().stream().allMatch(bar -> !bar.counts() || bar.met());
  }

  @Override
  public Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("facts", facts);
    json.put("rows", rows.stream().map(SmallRow::toJson).toList());
    json.put("bars", bars().stream().map(Bar::toJson).toList());
    return json;
  }
}
