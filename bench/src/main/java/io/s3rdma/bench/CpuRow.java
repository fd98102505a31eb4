package io.s3rdma.bench;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** What reading objects of one size one way cost, all rounds together. Not thread-safe. */
final class CpuRow {
  /** CPU seconds since some moment: of who is who while bytes move. */
  record Clock(
      double client,
      double server,
      double kernel,
      ThreadCpu clientThreads,
      ThreadCpu serverThreads) {}

  private final Samples gbPerSecond = new Samples();
  private final Map<String, Double> clientThreads = new TreeMap<>();
  private final Map<String, Double> serverThreads = new TreeMap<>();
  private double gigabytes;
  private double client;
  private double server;
  private double kernel;
  private double seconds;

  /** One round. */
  void add(Clock before, Clock after, long bytes, double wallSeconds) {
    gigabytes += bytes / 1e9;
    seconds += wallSeconds;
    gbPerSecond.add(bytes / 1e9 / wallSeconds);
    client += after.client - before.client;
    server += after.server - before.server;
    kernel += after.kernel - before.kernel;
    add(clientThreads, after.clientThreads.namesSince(before.clientThreads));
    add(serverThreads, after.serverThreads.namesSince(before.serverThreads));
  }

  private static void add(Map<String, Double> sums, Map<String, Long> nanos) {
    nanos.forEach((name, used) -> sums.merge(name, used / 1e9, Double::sum));
  }

  Samples gbPerSecond() {
    return gbPerSecond;
  }

  /**
   * CPU seconds of the client's process for 10^9 bytes, without the JIT, whose work ends some day
   * however many bytes follow.
   */
  double clientPerGb() {
    return (client - compiler(clientThreads)) / gigabytes;
  }

  /** As {@link #clientPerGb}, of the server's process. */
  double serverPerGb() {
    return (server - compiler(serverThreads)) / gigabytes;
  }

  /** Of the JITs of both processes. */
  double compilerPerGb() {
    return (compiler(clientThreads) + compiler(serverThreads)) / gigabytes;
  }

  private static double compiler(Map<String, Double> threads) {
    return threads.entrySet().stream()
        .filter(entry -> Part.of(entry.getKey()) == Part.COMPILER)
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }

  /** Of the kernel's own threads. */
  double kernelPerGb() {
    return kernel / gigabytes;
  }

  /** Seconds that passed for 10^9 bytes. */
  double wallPerGb() {
    return seconds / gigabytes;
  }

  /** Of the client's, by the threads' names; those first that used most. */
  Map<String, Double> clientThreadsPerGb() {
    return perGb(clientThreads);
  }

  Map<String, Double> serverThreadsPerGb() {
    return perGb(serverThreads);
  }

  private Map<String, Double> perGb(Map<String, Double> threads) {
    Map<String, Double> sorted = new LinkedHashMap<>();
    threads.entrySet().stream()
        .filter(entry -> entry.getValue() > 0)
        .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
        .forEach(entry -> sorted.put(entry.getKey(), entry.getValue() / gigabytes));
    return sorted;
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("gigabytes", gigabytes);
    json.put("gbPerSecond", gbPerSecond.toJson());
    json.put("clientCpuSecondsPerGb", clientPerGb());
    json.put("serverCpuSecondsPerGb", serverPerGb());
    json.put("compilersCpuSecondsPerGb", compilerPerGb());
    json.put("kernelThreadsCpuSecondsPerGb", kernelPerGb());
    json.put("wallSecondsPerGb", wallPerGb());
    json.put("clientThreadsCpuSecondsPerGb", clientThreadsPerGb());
    json.put("serverThreadsCpuSecondsPerGb", serverThreadsPerGb());
    return json;
  }
}
