package io.s3rdma.bench;

import java.util.LinkedHashMap;
import java.util.Map;

/** What the rounds gave for one server and one size. Not thread-safe. */
final class HttpRow {
  private final Samples gbPerSecond = new Samples();
  private final Samples requestsPerSecond = new Samples();
  private final Samples serverPerGb = new Samples();
  private final Samples clientPerGb = new Samples();
  private final Samples sumPerGb = new Samples();
  private final Samples gbPerServerSecond = new Samples();
  private final Samples requestsPerServerSecond = new Samples();

  /**
   * @param serverSeconds CPU time of the server's processes during the measurement
   */
  void add(Wrk.Load load, double serverSeconds) {
    double gigabytes = load.bytes() / 1e9;
    gbPerSecond.add(gigabytes / load.seconds());
    requestsPerSecond.add(load.requests() / load.seconds());
    serverPerGb.add(serverSeconds / gigabytes);
    clientPerGb.add(load.cpuSeconds() / gigabytes);
    sumPerGb.add((serverSeconds + load.cpuSeconds()) / gigabytes);
    gbPerServerSecond.add(gigabytes / serverSeconds);
    requestsPerServerSecond.add(load.requests() / serverSeconds);
  }

  /** 10^9 bytes a second. */
  Samples gbPerSecond() {
    return gbPerSecond;
  }

  Samples requestsPerSecond() {
    return requestsPerSecond;
  }

  /** CPU seconds of the server for 10^9 bytes; the next two: of the client, of both. */
  Samples serverPerGb() {
    return serverPerGb;
  }

  Samples clientPerGb() {
    return clientPerGb;
  }

  Samples sumPerGb() {
    return sumPerGb;
  }

  /** Throughput per core that the server keeps busy. */
  Samples gbPerServerSecond() {
    return gbPerServerSecond;
  }

  Samples requestsPerServerSecond() {
    return requestsPerServerSecond;
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("gbPerSecond", gbPerSecond.toJson());
    json.put("requestsPerSecond", requestsPerSecond.toJson());
    json.put("serverCpuSecondsPerGb", serverPerGb.toJson());
    json.put("clientCpuSecondsPerGb", clientPerGb.toJson());
    json.put("bothCpuSecondsPerGb", sumPerGb.toJson());
    json.put("gbPerServerCpuSecond", gbPerServerSecond.toJson());
    json.put("requestsPerServerCpuSecond", requestsPerServerSecond.toJson());
    return json;
  }
}
