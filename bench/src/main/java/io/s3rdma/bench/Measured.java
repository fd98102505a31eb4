package io.s3rdma.bench;

import java.util.LinkedHashMap;
import java.util.Map;

/** One row: MiB/s of each round, and the CPU seconds of all rounds together. Not thread-safe. */
final class Measured {
  private final Samples rate = new Samples();
  private long bytes;
  private double clientSeconds;
  private double serverSeconds;

  Samples rate() {
    return rate;
  }

  void cpu(long moved, double client, double server) {
    bytes += moved;
    clientSeconds += client;
    serverSeconds += server;
  }

  /** CPU seconds per 10^9 bytes; ticks are 10 ms, so only sums over rounds mean anything. */
  double clientSecondsPerGb() {
    return clientSeconds / bytes * 1e9;
  }

  double serverSecondsPerGb() {
    return serverSeconds / bytes * 1e9;
  }

  boolean hasCpu() {
    return bytes > 0;
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("mibPerSecond", rate.toJson());
    if (hasCpu()) {
      json.put("clientCpuSecondsPerGb", clientSecondsPerGb());
      json.put("serverCpuSecondsPerGb", serverSecondsPerGb());
    }
    return json;
  }
}
