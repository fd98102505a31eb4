package io.s3rdma.bench;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** All rows of a comparison over HTTP, what they are held against, table and JSON. */
final class HttpResults implements Report {
  private static final double THROUGHPUT_BAR = 0.9;
  private static final double CPU_BAR = 1.3;
  private static final double S3PROXY_BAR = 3;
  private static final double REQUESTS_BAR = 5000;

  private record Key(String peer, long size) {}

  private final HttpPlan plan;
  private final Map<Key, HttpRow> rows = new LinkedHashMap<>();
  private Map<String, Object> facts = Map.of();
  private Optional<HttpMemory.Peak> memory = Optional.empty();

  HttpResults(HttpPlan plan) {
    this.plan = plan;
  }

  void facts(Map<String, Object> all) {
    facts = all;
  }

  void memory(HttpMemory.Peak peak) {
    memory = Optional.of(peak);
  }

  HttpRow row(String peer, long size) {
    return rows.computeIfAbsent(new Key(peer, size), k -> new HttpRow());
  }

  List<Bar> bars() {
    List<Bar> bars = new ArrayList<>();
    if (has(Nginx.NAME)) {
      ratio(bars, Nginx.NAME, "GB/s", HttpRow::gbPerSecond, THROUGHPUT_BAR, true, true);
      ratio(bars, Nginx.NAME, "server CPU s/GB", HttpRow::serverPerGb, CPU_BAR, false, true);
      ratio(bars, Nginx.NAME, "both CPU s/GB", HttpRow::sumPerGb, CPU_BAR, false, false);
    }
    if (has(S3Proxy.NAME)) {
      Function<HttpRow, Samples> perCpu = HttpRow::gbPerServerSecond;
      ratio(bars, S3Proxy.NAME, "GB/server CPU s", perCpu, S3PROXY_BAR, true, true);
      ratio(bars, S3Proxy.NAME, "GB/s", HttpRow::gbPerSecond, 1, true, false);
    }
    if (has(OwnServer.NAME)) {
      Samples requests = row(OwnServer.NAME, plan.smallBytes()).requestsPerServerSecond();
      String what = "GET " + ByteCount.show(plan.smallBytes()) + ", requests/server CPU s";
      bars.add(new Bar(what, requests.median(), requests.quantile(1), REQUESTS_BAR, true, true));
    }
    memory.ifPresent(peak -> bars.add(peak.bar()));
    return bars;
  }

  private boolean has(String peer) {
    return rows.containsKey(new Key(peer, plan.largeBytes()));
  }

  /** This server's figure for large objects divided by another's. */
  private void ratio(
      List<Bar> into,
      String against,
      String unit,
      Function<HttpRow, Samples> figure,
      double bar,
      boolean atLeast,
      boolean counts) {
    Samples ours = figure.apply(row(OwnServer.NAME, plan.largeBytes()));
    Samples theirs = figure.apply(row(against, plan.largeBytes()));
    double best = atLeast ? 1 : 0;
    into.add(
        new Bar(
            "GET %s, %s, ratio to %s".formatted(ByteCount.show(plan.largeBytes()), unit, against),
            ours.median() / theirs.median(),
            ours.quantile(best) / theirs.quantile(best),
            bar,
            atLeast,
            counts));
  }

  @Override
  public boolean barsMet() {
    return bars().stream().allMatch(bar -> !bar.counts() || bar.met());
  }

  @Override
  public void print(PrintWriter out) {
    facts.forEach((name, value) -> out.printf("%-16s %s%n", name, value));
    for (long size : rows.isEmpty() ? List.<Long>of() : plan.sizes()) {
      out.printf(
          "%nGET %s, %d connections; medians (quartiles)%n%-8s %20s %24s %11s %11s %11s %12s%n",
          ByteCount.show(size),
          plan.connections(size),
          "server",
          "GB/s",
          "requests/s",
          "srv s/GB",
          "client s/GB",
          "both s/GB",
          "req/srv s");
      rows.forEach(
          (key, row) -> {
            if (key.size == size) {
              print(out, key.peer, row);
            }
          });
    }
    memory.ifPresent(peak -> out.printf("%n%s%n", peak.show()));
    out.printf("%n%-58s %9s %9s%n", "held against", "medians", "best");
    bars().forEach(bar -> out.println(bar.show()));
    out.flush();
  }

  private static void print(PrintWriter out, String peer, HttpRow row) {
    out.printf(
        "%-8s %20s %24s %11.3f %11.3f %11.3f %12.0f%n",
        peer,
        spread(row.gbPerSecond(), "%.3f (%.3f-%.3f)"),
        spread(row.requestsPerSecond(), "%.0f (%.0f-%.0f)"),
        row.serverPerGb().median(),
        row.clientPerGb().median(),
        row.sumPerGb().median(),
        row.requestsPerServerSecond().median());
  }

  private static String spread(Samples samples, String format) {
    return format.formatted(samples.median(), samples.quantile(0.25), samples.quantile(0.75));
  }

  @Override
  public Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("facts", facts);
    List<Map<String, Object>> all = new ArrayList<>();
    rows.forEach(
        (key, row) -> {
          Map<String, Object> one = new LinkedHashMap<>();
          one.put("server", key.peer);
          one.put("sizeBytes", key.size);
          one.put("connections", plan.connections(key.size));
          one.putAll(row.toJson());
          all.add(one);
        });
    json.put("rows", all);
    json.put("memory", memory.map(HttpMemory.Peak::toJson).orElse(null));
    json.put("bars", bars().stream().map(Bar::toJson).toList());
    return json;
  }
}
