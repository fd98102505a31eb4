package io.s3rdma.bench;

import java.io.PrintWriter;
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
    for (SmallRow row : rows) {
      if (isOfBar(row)) {
        out.printf(
            "%nsoftware of a 64 KiB RDMA GET: %.0f us, bar %.0f: %s%n",
            row.software().median(), BAR_MICROS, meets(row) ? "met" : "not met");
      }
    }
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

  private boolean isOfBar(SmallRow row) {
    return ofBar && row.way().equals("rdma") && row.bytes() == BAR_BYTES;
  }

  private static boolean meets(SmallRow row) {
    return row.software().median() <= BAR_MICROS;
  }

  @Override
  public boolean barsMet() {
    return rows.stream().filter(this::isOfBar).allMatch(SmallResults::meets);
  }

  @Override
  public Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("facts", facts);
    json.put("rows", rows.stream().map(SmallRow::toJson).toList());
    return json;
  }
}
