package io.s3rdma.bench;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * What memory the server needs with many connections. Heap and direct memory are bounded by the
 * JVM's and Netty's options, so that more is an error and not only a figure.
 */
final class HttpMemory {
  private static final int IDLE = 1000;
  private static final int READERS = 100;
  private static final int WRITERS = 100;
  private static final int ROUNDS = 2;
  private static final int PUT_BYTES = 8 << 20;
  private static final int HEAP_MIB = 256;
  private static final int NETTY_MIB = 160;
  private static final int DIRECT_MIB = 64;
  private static final double BAR_MIB = 512;

  /** Idle connections are idle for as long as the others take. */
  private static final int IDLE_SECONDS = 600;

  /**
   * The most that was seen in use at any time, in MiB.
   *
   * @param rss of the process: with code, metaspace, stacks, RocksDB
   */
  record Peak(double heap, double direct, double netty, double rss) {
    Bar bar() {
      double sum = heap + direct + netty;
      return new Bar("heap and direct memory, MiB", sum, sum, BAR_MIB, false, true);
    }

    String show() {
      return """
          %d idle connections, %d that read 64 MiB, %d that write 8 MiB, all served; most MiB in use:
          heap %.0f (at most %d), JDK direct %.0f (%d), Netty direct %.0f (%d), RSS %.0f"""
          .formatted(
              IDLE, READERS, WRITERS, heap, HEAP_MIB, direct, DIRECT_MIB, netty, NETTY_MIB, rss);
    }

    Map<String, Object> toJson() {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("idleConnections", IDLE);
      json.put("readers", READERS);
      json.put("writers", WRITERS);
      json.put("heapMib", heap);
      json.put("heapMaxMib", HEAP_MIB);
      json.put("jdkDirectMib", direct);
      json.put("jdkDirectMaxMib", DIRECT_MIB);
      json.put("nettyDirectMib", netty);
      json.put("nettyDirectMaxMib", NETTY_MIB);
      json.put("rssMib", rss);
      return json;
    }
  }

  private final HttpPlan plan;
  private final Content content;

  HttpMemory(HttpPlan plan, Content content) {
    this.plan = plan;
    this.content = content;
  }

  Peak run() throws IOException, InterruptedException {
    Path folder = Files.createDirectories(plan.data().resolve("memory"));
    Path file = folder.resolve("peak");
    ServerLaunch launch =
        new ServerLaunch(
            HttpPeer.HOST,
            folder.resolve("data"),
            folder.resolve("server.log"),
            List.of(
                "-Xmx" + HEAP_MIB + "m",
                "-XX:MaxDirectMemorySize=" + DIRECT_MIB + "m",
                "-Dio.netty.maxDirectMemory=" + ((long) NETTY_MIB << 20),
                "-D" + MemoryWatch.FILE + "=" + file),
            MemoryWatch.class.getName(),
            Map.of("http.idle-timeout-seconds", IDLE_SECONDS, "rdma.enabled", "off"));
    List<RawConnection> idle = new ArrayList<>();
    try (OwnServer server = OwnServer.start(launch, content, plan.sizes())) {
      URI small = server.readable(plan.smallBytes());
      try {
        for (int i = 0; i < IDLE; i++) {
          RawConnection connection = new RawConnection(small);
          idle.add(connection);
          connection.get(small, plan.smallBytes());
        }
        work(server);
        for (RawConnection connection : idle) {
          connection.get(small, plan.smallBytes());
        }
      } finally {
        for (RawConnection connection : idle) {
          connection.close();
        }
      }
      return peak(file, server.pid());
    }
  }

  private void work(OwnServer server) throws IOException, InterruptedException {
    byte[] body = content.of(PUT_BYTES);
    URI large = server.readable(plan.largeBytes());
    List<Future<Void>> all = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < READERS; i++) {
        all.add(threads.submit(repeat(large, c -> c.get(large, plan.largeBytes()))));
      }
      for (int i = 0; i < WRITERS; i++) {
        URI url = server.writable("written-" + i);
        all.add(threads.submit(repeat(url, c -> c.put(url, body))));
      }
      for (Future<Void> one : all) {
        one.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("a connection was not served: " + e.getCause(), e.getCause());
    }
  }

  @FunctionalInterface
  private interface Use {
    void of(RawConnection connection) throws IOException;
  }

  private static Callable<Void> repeat(URI server, Use use) {
    return () -> {
      try (RawConnection connection = new RawConnection(server)) {
        for (int i = 0; i < ROUNDS; i++) {
          use.of(connection);
        }
      }
      return null;
    };
  }

  private static Peak peak(Path file, long pid) throws IOException {
    List<String> bytes = List.of(Files.readString(file).trim().split(" ", -1));
    String rss =
        Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
            .filter(line -> line.startsWith("VmHWM:"))
            .map(line -> line.replaceAll("[^0-9]", ""))
            .findFirst()
            .orElse("0");
    return new Peak(
        mib(bytes.get(0)), mib(bytes.get(1)), mib(bytes.get(2)), Double.parseDouble(rss) / 1024);
  }

  private static double mib(String bytes) {
    return Long.parseLong(bytes) / 1048576.0;
  }
}
