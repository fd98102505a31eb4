package io.s3rdma.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What stands beside every figure, and this process's own costs. */
final class Host {
  static final Charset CHARSET = StandardCharsets.UTF_8;

  private Host() {}

  /** User and system time of this process since its start. */
  static double cpuSeconds() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
            .getProcessCpuTime()
        / 1e9;
  }

  static Map<String, Object> facts(Rail rail, FabricPlan plan) throws IOException {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("time", Instant.now().toString());
    facts.put("commit", environment("S3RDMA_BENCH_COMMIT"));
    facts.put("kernel", Files.readString(Path.of("/proc/version")).trim());
    facts.put("device", rail.device());
    facts.put("mtuBytes", rail.mtuBytes());
    facts.put("jdk", Runtime.version().toString());
    facts.put("processors", Runtime.getRuntime().availableProcessors());
    facts.put("perftest", version(Verb.WRITE.perftest()));
    facts.put("load", load());
    facts.put("hostLoadAtStart", environment("S3RDMA_BENCH_HOST_LOAD"));
    FileStore store = Files.getFileStore(plan.data());
    facts.put("dataFileSystem", store.type());
    facts.put("chunkBytes", plan.chunkBytes());
    facts.put("chunksInFlight", plan.chunksInFlight());
    facts.put("roundBytes", plan.roundBytes());
    return facts;
  }

  static String load() throws IOException {
    return String.join(
        " ", List.of(Files.readString(Path.of("/proc/loadavg")).split(" ", -1)).subList(0, 3));
  }

  private static String environment(String name) {
    return System.getenv().getOrDefault(name, "unknown");
  }

  private static String version(String program) {
    try {
      Process process = new ProcessBuilder(program, "--version").redirectErrorStream(true).start();
      return new String(process.getInputStream().readAllBytes(), CHARSET).trim();
    } catch (IOException e) {
      return "not installed";
    }
  }
}
