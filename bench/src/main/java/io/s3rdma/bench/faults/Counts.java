package io.s3rdma.bench.faults;

import io.s3rdma.rdma.LiveObjects;
import io.s3rdma.rdma.Rdma;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a transfer must give back, on both hosts, by name. What the kernel counts stands beside what
 * the processes count themselves.
 */
record Counts(Map<String, Long> values) {
  private static final String OBJECTS = "/objects/";
  private static final int KEPT_OPEN_MAX = 128; // of the store: those that were read lately
  private static final String CLOSED = "closed meanwhile";
  private static final Pattern RESOURCE = Pattern.compile("(pd|cq|qp|mr|ctx) (\\d+)");
  private static final Map<String, String> METRICS =
      Map.of(
          "server connections", "s3rdma_rdma_connections",
          "server slots used", "s3rdma_staging_slots_used",
          "server slots lost", "s3rdma_staging_slots_lost",
          "server drain failures", "s3rdma_rdma_drain_failures",
          "server HTTP connections", "s3rdma_http_connections");

  /** Now. Every client of this process must be closed. */
  static Counts of(FaultServer server) throws IOException {
    Map<String, Long> values = new TreeMap<>();
    String page = metrics(server.endpoint());
    METRICS.forEach((name, metric) -> values.put(name, figure(page, metric)));
    // The page itself came by one.
    values.merge("server HTTP connections", -1L, Long::sum);
    processes(values, "server", server.pid());
    processes(values, "client", ProcessHandle.current().pid());
    LiveObjects live = Rdma.liveObjects();
    values.put("client queue pairs", live.queuePairs());
    values.put("client regions", live.memoryRegions());
    values.put("client windows", live.memoryWindows());
    values.put("client queues", live.completionQueues());
    values.put("client domains", live.protectionDomains());
    values.put("client devices", live.devices());
    kernel(values);
    return new Counts(values);
  }

  private static void processes(Map<String, Long> values, String side, long pid)
      throws IOException {
    long open = 0;
    long objects = 0;
    try (DirectoryStream<Path> fds = Files.newDirectoryStream(Path.of("/proc/" + pid + "/fd"))) {
      for (Path fd : fds) {
        String file = target(fd);
        objects += file.contains(OBJECTS) ? 1 : 0;
        open += file.contains(OBJECTS) || isMetadata(file) ? 0 : 1;
      }
    }
    values.put(side + " fds", open);
    values.put(side + " object files beyond those kept open", Math.max(0, objects - KEPT_OPEN_MAX));
    String threads =
        Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
            .filter(line -> line.startsWith("Threads:"))
            .findFirst()
            .orElse("Threads: -1");
    values.put(side + " threads", Long.parseLong(threads.substring(8).strip()));
  }

  private static String target(Path fd) {
    try {
      return Files.readSymbolicLink(fd).toString();
    } catch (IOException e) {
      return CLOSED; // like the one this listing itself needs
    }
  }

  /** The store's metadata opens and closes files as it likes. */
  private static boolean isMetadata(String file) {
    return file.endsWith(".sst") || file.endsWith(".log") || file.equals(CLOSED);
  }

  /** As rdma(8) has it: "0: rxe_s: pd 2 cq 1 qp 3 cm_id 0 mr 1 ctx 1 srq 0". */
  private static void kernel(Map<String, Long> values) throws IOException {
    for (String line : Shell.run("rdma resource show").lines().toList()) {
      String device = line.contains("rxe_s") ? "rxe_s" : "rxe_c";
      Matcher m = RESOURCE.matcher(line);
      while (m.find()) {
        values.put("kernel " + device + " " + m.group(1), Long.valueOf(m.group(2)));
      }
    }
  }

  static String metrics(URI endpoint) throws IOException {
    var connection = endpoint.resolve("/-/metrics").toURL().openConnection();
    connection.setConnectTimeout(5_000);
    connection.setReadTimeout(10_000);
    connection.setRequestProperty("Connection", "close");
    try (InputStream in = connection.getInputStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  static long figure(String page, String metric) {
    return page.lines()
        .filter(line -> line.startsWith(metric + " "))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(metric.length() + 1)))
        .findFirst()
        .orElse(0);
  }

  /** What is more now than at the start; empty if all has come back. */
  Map<String, String> above(Counts start) {
    Map<String, String> more = new LinkedHashMap<>();
    values.forEach(
        (name, now) -> {
          long then = start.values.getOrDefault(name, 0L);
          if (now > then) {
            more.put(name, then + " -> " + now);
          }
        });
    return more;
  }
}
