package io.s3rdma.bench;

import io.s3rdma.client.RdmaPolicy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import software.amazon.awssdk.core.sync.RequestBody;

/** What large GETs cost the client's and the server's process, by RDMA, by HTTP and by the CRT. */
@Command(
    name = "cpu",
    description = {
      "Measures CPU seconds per GB of large GETs of one hot object, many at once: this",
      "process is the client, by RDMA, by HTTP with the same client, and by the SDK's CRT",
      "client, in turns and into the same memory; the server is a process of its own.",
      "Prints a table and writes JSON.",
      ""
    })
final class CpuCommand implements Callable<Integer> {
  private static final String BUCKET = "bench";
  private static final long SMALL_BYTES = 4096;

  @Mixin private RunOptions options;

  @Mixin private FabricOptions servers;

  @Option(names = "--sizes", paramLabel = "SIZE", split = ",", description = "object sizes")
  private List<String> sizes = List.of("64M", "256M");

  @Option(names = "--callers", paramLabel = "N", description = "GETs at once")
  private int callerCount = 16;

  @Option(names = "--calls", paramLabel = "N", description = "of a caller and measurement")
  private int calls = 1;

  @Option(names = "--warm-up", paramLabel = "N", description = "small GETs of each way before")
  private int warmUp = 5_000;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Rail rail = Rail.find();
    Path folder = servers.newFolder();
    try (ServerProcess server = servers.start(rail, folder, "none");
        Callers callers = new Callers(callerCount);
        Buffers buffers = new Buffers();
        OwnWay rdma = new OwnWay(server.endpoint(), RdmaPolicy.REQUIRE, callerCount);
        OwnWay http = new OwnWay(server.endpoint(), RdmaPolicy.NEVER, callerCount);
        CrtWay crt = new CrtWay(server.endpoint())) {
      Map<String, Object> facts = servers.facts(rail, folder);
      facts.put("callers", callerCount);
      facts.put("calls", calls);
      CpuResults results = new CpuResults(facts);
      Map<String, Way> ways = new LinkedHashMap<>();
      ways.put(CpuResults.RDMA, rdma);
      ways.put(CpuResults.HTTP, http);
      ways.put(CpuResults.CRT, crt);
      put(rdma);
      ways.values().forEach(way -> warmUp(way, callers, buffers));
      ways.values().forEach(Way::rest);
      options.each(
          round -> {
            for (String size : sizes) {
              for (Map.Entry<String, Way> way : ways.entrySet()) {
                long bytes = ByteCount.parse(size);
                CpuRow row = results.row(way.getKey(), bytes);
                measure(way.getValue(), bytes, server, callers, buffers, row);
              }
            }
          });
      return options.finish(results);
    } finally {
      ServerProcess.delete(folder);
    }
  }

  private void put(OwnWay own) {
    own.client().s3().createBucket(b -> b.bucket(BUCKET));
    byte[] small = new byte[(int) SMALL_BYTES];
    own.client()
        .s3()
        .putObject(b -> b.bucket(BUCKET).key(key(SMALL_BYTES)), RequestBody.fromBytes(small));
    for (String size : sizes) {
      long bytes = ByteCount.parse(size);
      byte[] content = new byte[Math.toIntExact(bytes)];
      own.client()
          .s3()
          .putObject(b -> b.bucket(BUCKET).key(key(bytes)), RequestBody.fromBytes(content));
    }
  }

  private static String key(long bytes) {
    return "object-" + bytes;
  }

  /** Small ones, since only they bring enough calls for the JIT, then each size once. */
  private void warmUp(Way way, Callers callers, Buffers buffers) {
    callers.each(
        caller -> {
          for (int i = 0; i < warmUp / callers.count(); i++) {
            way.get(BUCKET, key(SMALL_BYTES), buffers.of(caller, SMALL_BYTES));
          }
          for (String size : sizes) {
            long bytes = ByteCount.parse(size);
            way.get(BUCKET, key(bytes), buffers.of(caller, bytes));
          }
        });
  }

  private void measure(
      Way way, long bytes, ServerProcess server, Callers callers, Buffers buffers, CpuRow row)
      throws IOException {
    long most = sizes.stream().mapToLong(ByteCount::parse).max().orElseThrow();
    int times = (int) (calls * most / bytes);
    // Opens what the way closed while it rested.
    callers.each(caller -> way.get(BUCKET, key(SMALL_BYTES), buffers.of(caller, SMALL_BYTES)));
    CpuRow.Clock before = clockBefore(server);
    long start = System.nanoTime();
    callers.each(
        caller -> {
          for (int i = 0; i < times; i++) {
            way.get(BUCKET, key(bytes), buffers.of(caller, bytes));
          }
        });
    double seconds = (System.nanoTime() - start) / 1e9;
    row.add(before, clockAfter(server), bytes * times * callers.count(), seconds);
    way.rest();
  }

  /** The threads first: what reading their figures costs is no part of what comes after. */
  private static CpuRow.Clock clockBefore(ServerProcess server) throws IOException {
    ThreadCpu serverThreads = ThreadCpu.of(pid(server));
    double kernel = KernelCpu.seconds();
    ThreadCpu clientThreads = ThreadCpu.now();
    return new CpuRow.Clock(
        Host.cpuSeconds(), server.cpuSeconds(), kernel, clientThreads, serverThreads);
  }

  private static CpuRow.Clock clockAfter(ServerProcess server) throws IOException {
    double client = Host.cpuSeconds();
    double used = server.cpuSeconds();
    ThreadCpu clientThreads = ThreadCpu.now();
    return new CpuRow.Clock(
        client, used, KernelCpu.seconds(), clientThreads, ThreadCpu.of(pid(server)));
  }

  private static String pid(ServerProcess server) {
    return Long.toString(server.process().pid());
  }
}
