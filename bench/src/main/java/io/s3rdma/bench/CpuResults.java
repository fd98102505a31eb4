package io.s3rdma.bench;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** All rows of a comparison of CPU, their ratios, table and JSON. Not thread-safe. */
final class CpuResults implements Report {
  static final String RDMA = "rdma";
  static final String HTTP = "http";
  static final String CRT = "crt";
  private static final long LARGE_BYTES = 256L << 20;
  private static final long MEDIUM_BYTES = 64L << 20;
  private static final double LARGE_BAR = 70;
  private static final double MEDIUM_BAR = 30;
  private static final double SERVER_BAR = 5;
  private static final int THREADS_SHOWN = 6;

  private record Key(String way, long size) {}

  private final Map<Key, CpuRow> rows = new LinkedHashMap<>();
  private final Map<String, Object> facts;

  CpuResults(Map<String, Object> facts) {
    this.facts = facts;
  }

  CpuRow row(String way, long size) {
    return rows.computeIfAbsent(new Key(way, size), key -> new CpuRow());
  }

  List<Bar> bars() {
    List<Bar> bars = new ArrayList<>();
    for (Map.Entry<Key, CpuRow> entry : rows.entrySet()) {
      Key key = entry.getKey();
      CpuRow rdma = rows.get(new Key(RDMA, key.size));
      if (rdma != null && !key.way.equals(RDMA)) {
        CpuRow other = entry.getValue();
        bars.add(client(key.way, key.size, other.clientPerGb() / rdma.clientPerGb()));
        if (key.way.equals(HTTP)) {
          bars.add(server(key.size, other.serverPerGb() / rdma.serverPerGb()));
        }
      }
    }
    return bars;
  }

  /**
   * How many times as much the client's CPU costs by another way than by RDMA.
   *
   * @param size of the objects; below 64 MiB there is no bar
   */
  static Bar client(String way, long size, double ratio) {
    double bar = size >= LARGE_BYTES ? LARGE_BAR : MEDIUM_BAR;
    String what = "client CPU, %s, %s by rdma".formatted(ByteCount.show(size), way);
    return new Bar(what, ratio, ratio, bar, true, size >= MEDIUM_BYTES);
  }

  /** As {@link #client}, of the server's by HTTP. */
  static Bar server(long size, double ratio) {
    String what = "server CPU, %s, http by rdma".formatted(ByteCount.show(size));
    return new Bar(what, ratio, ratio, SERVER_BAR, true, size >= MEDIUM_BYTES);
  }

  @Override
  public boolean barsMet() {
    return bars().stream().allMatch(bar -> !bar.counts() || bar.met());
  }

  @Override
  public void print(PrintWriter out) {
    facts.forEach((name, value) -> out.printf("%-16s %s%n", name, value));
    out.printf(
        "%nseconds for 10^9 bytes, all rounds%n%-6s %-8s %8s %8s %8s %8s %8s %8s%n",
        "way", "size", "GB/s", "passed", "client", "server", "JITs", "kernel");
    rows.forEach((key, row) -> print(out, key, row));
    out.printf("%nof these, the threads that used most%n");
    rows.forEach(
        (key, row) -> {
          printThreads(out, key, "client", row.clientThreadsPerGb());
          printThreads(out, key, "server", row.serverThreadsPerGb());
        });
    out.printf("%n%-58s %9s%n", "ratio", "");
    bars().forEach(bar -> out.println(bar.show()));
    out.flush();
  }

  private static void print(PrintWriter out, Key key, CpuRow row) {
    out.printf(
        "%-6s %-8s %8.3f %8.3f %8.4f %8.4f %8.4f %8.3f%n",
        key.way,
        ByteCount.show(key.size),
        row.gbPerSecond().median(),
        row.wallPerGb(),
        row.clientPerGb(),
        row.serverPerGb(),
        row.compilerPerGb(),
        row.kernelPerGb());
  }

  private static void printThreads(
      PrintWriter out, Key key, String whose, Map<String, Double> threads) {
    String most =
        threads.entrySet().stream()
            .limit(THREADS_SHOWN)
            .map(entry -> "%s %.4f".formatted(entry.getKey(), entry.getValue()))
            .collect(Collectors.joining(", "));
    out.printf("%-6s %-8s %s: %s%n", key.way, ByteCount.show(key.size), whose, most);
  }

  @Override
  public Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("facts", facts);
    List<Map<String, Object>> all = new ArrayList<>();
    rows.forEach(
        (key, row) -> {
          Map<String, Object> one = new LinkedHashMap<>();
          one.put("way", key.way);
          one.put("sizeBytes", key.size);
          one.putAll(row.toJson());
          all.add(one);
        });
    json.put("rows", all);
    json.put("bars", bars().stream().map(Bar::toJson).toList());
    return json;
  }
}
