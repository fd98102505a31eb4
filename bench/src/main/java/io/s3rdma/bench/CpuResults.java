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
  private double postSeconds;
  private double postGigabytes;

  CpuResults(Map<String, Object> facts) {
    this.facts = facts;
  }

  /**
   * What posting the same work requests costs without a server around it.
   *
   * @param seconds CPU time inside the calls that post
   */
  void posts(double seconds, long bytes) {
    postSeconds += seconds;
    postGigabytes += bytes / 1e9;
  }

  /** CPU seconds for 10^9 bytes that the device takes from whoever posts; 0 if not measured. */
  double postsPerGb() {
    return postGigabytes == 0 ? 0 : postSeconds / postGigabytes;
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
        bars.add(client(key, entry.getValue(), rdma));
        if (key.way.equals(HTTP)) {
          bars.add(charged(key, entry.getValue(), rdma));
          bars.add(server(key, entry.getValue(), rdma));
        }
      }
    }
    return bars;
  }

  private static Bar client(Key key, CpuRow other, CpuRow rdma) {
    double bar = key.size >= LARGE_BYTES ? LARGE_BAR : MEDIUM_BAR;
    double ratio = other.clientPerGb() / rdma.clientPerGb();
    String what = "client CPU, %s, %s by rdma".formatted(ByteCount.show(key.size), key.way);
    return new Bar(what, ratio, ratio, bar, true, key.size >= MEDIUM_BYTES);
  }

  /** As the kernel charges it, what Soft-RoCE copies inside a post included: for reading. */
  private static Bar charged(Key key, CpuRow http, CpuRow rdma) {
    double ratio = http.serverPerGb() / rdma.serverPerGb();
    String what = "server CPU with posts, %s, http by rdma".formatted(ByteCount.show(key.size));
    return new Bar(what, ratio, ratio, SERVER_BAR, true, false);
  }

  private Bar server(Key key, CpuRow http, CpuRow rdma) {
    double ratio = http.serverPerGb() / (rdma.serverPerGb() - postsPerGb());
    String what = "server CPU less posts, %s, http by rdma".formatted(ByteCount.show(key.size));
    return new Bar(what, ratio, ratio, SERVER_BAR, true, key.size >= MEDIUM_BYTES);
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
    out.printf("%nposts without a server: %.4f CPU s/GB, the device's work%n", postsPerGb());
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
    json.put("postsCpuSecondsPerGb", postsPerGb());
    json.put("bars", bars().stream().map(Bar::toJson).toList());
    return json;
  }
}
