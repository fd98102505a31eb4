package io.s3rdma.bench;

import io.s3rdma.client.RdmaPolicy;
import io.s3rdma.client.S3RdmaClient;
import io.s3rdma.client.Transport;
import io.s3rdma.rdma.Rdma;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import software.amazon.awssdk.core.sync.RequestBody;

/** What a small GET costs in CPU, client and server, by RDMA and by HTTP. */
@Command(
    name = "small",
    description = {
      "Measures the CPU of small GETs, client and server in one process, by thread: over",
      "the fake device, whose thread is left out, so what is left is our software; over a",
      "real device (-Ds3rdma.native.provider=verbs) also what RDMA costs against HTTP.",
      ""
    })
final class SmallCommand implements Callable<Integer> {
  private static final int PROFILED = 4; // calls for each of a round

  @Option(names = "--sizes", paramLabel = "SIZE", split = ",", description = "object sizes")
  private List<String> sizes = List.of("64K");

  @Option(names = "--ways", paramLabel = "WAY", split = ",", description = "rdma, http")
  private List<String> ways = List.of("rdma", "http");

  @Mixin private RunOptions options;

  @Option(names = "--calls", paramLabel = "N", description = "of one measurement")
  private int calls = 5_000;

  @Option(names = "--warm-up", paramLabel = "N", description = "calls of each row before")
  private int warmUp = 60_000;

  @Option(names = "--callers", paramLabel = "N", description = "threads that call at once")
  private int callerCount = 1;

  @Option(names = "--no-stages", description = "without the profile of the stages")
  private boolean noStages;

  @Option(names = "--profiles", paramLabel = "DIR", description = "keep the recordings there")
  private Path profiles;

  @Option(names = "--set", paramLabel = "KEY=VALUE", description = "setting of the server")
  private Map<String, String> settings = Map.of();

  @Option(names = "--data", paramLabel = "DIR", description = "parent of the server's data")
  private Path data = Path.of("/dev/shm");

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory(data, "s3rdma-bench");
    // Before the first logger.
    System.setProperty("s3rdma.bench.log", folder.resolve("server.log").toString());
    System.setProperty("logback.configurationFile", "small-logback.xml");
    try (SmallServer server = SmallServer.start(folder.resolve("data"), Map.copyOf(settings));
        Callers callers = new Callers(callerCount);
        S3RdmaClient rdma = client(server, RdmaPolicy.REQUIRE);
        S3RdmaClient http = client(server, RdmaPolicy.NEVER)) {
      List<SmallRow> rows = rows(rdma, http, callers);
      measure(rows, folder);
      Map<String, Object> facts = Host.facts();
      facts.put("device", Rdma.provider() + " " + rdma.rail());
      facts.put("callers", callerCount);
      facts.put("settings", settings);
      int code = options.finish(new SmallResults(rows, Rdma.provider().equals("fake"), facts));
      rows.forEach(SmallRow::close);
      return code;
    } finally {
      ServerProcess.delete(folder);
    }
  }

  private S3RdmaClient client(SmallServer server, RdmaPolicy policy) {
    return S3RdmaClient.builder()
        .endpoint(server.endpoint())
        .credentials(SmallServer.ACCESS_KEY, SmallServer.SECRET_KEY)
        .policy(policy)
        .build();
  }

  private List<SmallRow> rows(S3RdmaClient rdma, S3RdmaClient http, Callers callers) {
    rdma.s3().createBucket(b -> b.bucket(SmallRow.BUCKET));
    List<SmallRow> rows = new ArrayList<>();
    for (String size : sizes) {
      long bytes = ByteCount.parse(size);
      rdma.s3()
          .putObject(
              b -> b.bucket(SmallRow.BUCKET).key(SmallRow.key(bytes)),
              RequestBody.fromBytes(new byte[(int) bytes]));
      if (ways.contains(CpuResults.RDMA)) {
        rows.add(new SmallRow(CpuResults.RDMA, rdma, Transport.RDMA, bytes, callers));
      }
      if (ways.contains(CpuResults.HTTP)) {
        rows.add(new SmallRow(CpuResults.HTTP, http, Transport.HTTP, bytes, callers));
      }
    }
    return rows;
  }

  private void measure(List<SmallRow> rows, Path folder) throws IOException, InterruptedException {
    for (SmallRow row : rows) {
      row.run(warmUp);
    }
    options.each(
        round -> {
          for (int i = 0; i < rows.size(); i++) {
            rows.get((round + i) % rows.size()).measure(calls);
          }
        });
    if (!noStages) {
      for (SmallRow row : rows) {
        row.profile(profiles == null ? folder : profiles, PROFILED * calls);
      }
    }
  }
}
