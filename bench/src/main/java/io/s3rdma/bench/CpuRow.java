package io.s3rdma.bench;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** What reading objects of one size one way cost, all rounds together. Not thread-safe. */
final class CpuRow {
  /** CPU seconds since some moment: of who is who while bytes move. */
  record Clock(double client, double server, double kernel, Map<Part, Long> clientThreads) {}

  private final Samples gbPerSecond = new Samples();
  private final Map<Part, Double> threads = new EnumMap<>(Part.class);
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
    after.clientThreads.forEach(
        (part, nanos) ->
            threads.merge(part, (nanos - before.clientThreads.get(part)) / 1e9, Double::sum));
  }

  Samples gbPerSecond() {
    return gbPerSecond;
  }

  /**
   * CPU seconds of the client's process for 10^9 bytes; the next two: the server's, the kernel's.
   */
  double clientPerGb() {
    return client / gigabytes;
  }

  double serverPerGb() {
    return server / gigabytes;
  }

  double kernelPerGb() {
    return kernel / gigabytes;
  }

  /** Seconds that passed for 10^9 bytes. */
  double wallPerGb() {
    return seconds / gigabytes;
  }

  /** Of the client's, that of some threads. */
  double threadsPerGb(Part part) {
    return threads.getOrDefault(part, 0.0) / gigabytes;
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("gigabytes", gigabytes);
    json.put("gbPerSecond", gbPerSecond.toJson());
    json.put("clientCpuSecondsPerGb", clientPerGb());
    json.put("serverCpuSecondsPerGb", serverPerGb());
    json.put("kernelThreadsCpuSecondsPerGb", kernelPerGb());
    json.put("wallSecondsPerGb", wallPerGb());
    threads.forEach(
        (part, cpu) -> json.put("client, " + part.label() + " CPU s/GB", cpu / gigabytes));
    return json;
  }
}
