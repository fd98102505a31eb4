package io.s3rdma.bench;

import io.s3rdma.client.S3RdmaClient;
import io.s3rdma.client.Transport;
import io.s3rdma.rdma.HostBuffer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** GETs of one size over one way, and what each part of them costs. Not thread-safe. */
final class SmallRow implements AutoCloseable {
  static final String BUCKET = "bench";

  private final String way;
  private final S3RdmaClient client;
  private final Transport expected;
  private final long bytes;
  private final Callers callers;
  private final List<HostBuffer> buffers = new ArrayList<>();
  private final Samples latency = new Samples();
  private final Map<Part, Samples> cpu = new EnumMap<>(Part.class);
  private final Samples software = new Samples();
  private Map<Stage, Double> stages = Map.of();

  SmallRow(String way, S3RdmaClient client, Transport expected, long bytes, Callers callers) {
    this.way = way;
    this.client = client;
    this.expected = expected;
    this.bytes = bytes;
    this.callers = callers;
    for (int i = 0; i < callers.count(); i++) {
      buffers.add(HostBuffer.allocate(bytes));
    }
    for (Part part : Part.values()) {
      cpu.put(part, new Samples());
    }
  }

  static String key(long bytes) {
    return "object-" + bytes;
  }

  String way() {
    return way;
  }

  long bytes() {
    return bytes;
  }

  /** Calls without figures. */
  void run(int calls) {
    callers.each(
        number -> {
          for (int i = 0; i < calls / callers.count(); i++) {
            Proved.check(
                client.getObject(BUCKET, key(bytes), buffers.get(number)), expected, bytes);
          }
        });
  }

  /** One round. */
  void measure(int calls) throws IOException {
    ThreadCpu before = ThreadCpu.now();
    long start = System.nanoTime();
    run(calls);
    double nanos = System.nanoTime() - start;
    Map<Part, Long> used = ThreadCpu.now().since(before);
    latency.add(nanos / 1000 / calls * callers.count());
    double sum = 0;
    for (Part part : Part.values()) {
      double micros = used.get(part) / 1000.0 / calls;
      cpu.get(part).add(micros);
      sum += part.isSoftware() ? micros : 0;
    }
    software.add(sum);
  }

  /**
   * Divides the CPU by stage.
   *
   * @param times calls under the profiler
   */
  void profile(Path folder, int times) throws IOException {
    Map<Part, Double> medians = new EnumMap<>(Part.class);
    cpu.forEach((part, samples) -> medians.put(part, samples.median()));
    stages =
        StageProfile.of(folder.resolve(way + "-" + bytes + ".jfr"), () -> run(times))
            .divide(medians);
  }

  /** CPU a call of all parts but the device and the compiler, microseconds. */
  Samples software() {
    return software;
  }

  /** From call to return, microseconds. */
  Samples latency() {
    return latency;
  }

  Samples cpu(Part part) {
    return cpu.get(part);
  }

  Map<Stage, Double> stages() {
    return stages;
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("way", way);
    json.put("bytes", bytes);
    json.put("latencyMicros", latency.toJson());
    json.put("softwareCpuMicros", software.toJson());
    cpu.forEach((part, samples) -> json.put(part.label() + " CPU micros", samples.toJson()));
    Map<String, Double> byStage = new LinkedHashMap<>();
    stages.forEach((stage, micros) -> byStage.put(stage.part() + " " + stage.label(), micros));
    json.put("stageMicros", byStage);
    return json;
  }

  @Override
  public void close() {
    buffers.forEach(HostBuffer::close);
  }
}
