package io.s3rdma.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What stands beside every figure, and this process's own costs. */
final class Host {
  static final Charset CHARSET = StandardCharsets.UTF_8;
  private static final int SYSTEM_CALLS = 5_000;

  private Host() {}

  /** User and system time of this process since its start. */
  static double cpuSeconds() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
            .getProcessCpuTime()
        / 1e9;
  }

  /** What every figure needs beside it; the caller adds to it. */
  static Map<String, Object> facts() throws IOException {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("time", Instant.now().toString());
    facts.put("commit", environment("S3RDMA_BENCH_COMMIT"));
    facts.put("kernel", Files.readString(Path.of("/proc/version")).trim());
    facts.put("jdk", Runtime.version().toString());
    facts.put("processors", Runtime.getRuntime().availableProcessors());
    facts.put("load", load());
    facts.put("systemCallMicros", systemCallMicros());
    return facts;
  }

  /** What one costs here: 0.1 on a host, 4 to 60 in User-Mode Linux, where CPU counts them. */
  private static double systemCallMicros() throws IOException {
    try (FileChannel file = FileChannel.open(Path.of("/proc/version"))) {
      long start = 0;
      for (int i = 0; i < 2 * SYSTEM_CALLS; i++) {
        if (i == SYSTEM_CALLS) {
          start = System.nanoTime();
        }
        file.position(0);
      }
      return Math.round((System.nanoTime() - start) / 10.0 / SYSTEM_CALLS) / 100.0;
    }
  }

  static String load() throws IOException {
    return String.join(
        " ", List.of(Files.readString(Path.of("/proc/loadavg")).split(" ", -1)).subList(0, 3));
  }

  static String environment(String name) {
    return System.getenv().getOrDefault(name, "unknown");
  }

  /** What a program says of itself, first line. */
  static String version(String program, String option) {
    try {
      Process process = new ProcessBuilder(program, option).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), CHARSET);
      return said.lines().findFirst().orElse("unknown").trim();
    } catch (IOException e) {
      return "not installed";
    }
  }
}
