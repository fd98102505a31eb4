package io.s3rdma.bench;

import io.s3rdma.client.RdmaPolicy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import software.amazon.awssdk.core.sync.RequestBody;

/** Several client processes against one, with the same connections in all. */
@Command(
    name = "processes",
    description = {
      "Compares RDMA GETs of one hot object by several client processes with those of one",
      "process that has as many connections in all, in turns: the total, and the most",
      "served process by the least served. Prints a table and writes JSON.",
      ""
    })
final class ProcessesCommand implements Callable<Integer> {
  static final long SMALL_BYTES = 4096;
  private static final String BUCKET = "bench";
  private static final String HOT = "hot";
  private static final String SMALL = "small";

  @Spec private CommandSpec spec;

  @Mixin private RunOptions options;

  @Mixin private FabricOptions servers;

  @Option(names = "--processes", paramLabel = "N", description = "client processes")
  private int count = 8;

  @Option(names = "--connections", paramLabel = "N", description = "of all of them together")
  private int connections = 8;

  @Option(names = "--size", paramLabel = "SIZE", description = "of the object")
  private String size = "16M";

  @Option(names = "--seconds", paramLabel = "N", description = "of one measurement")
  private int seconds = 10;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (connections % count != 0) {
      throw new ParameterException(
          spec.commandLine(),
          "--connections %d: %d processes cannot share them evenly".formatted(connections, count));
    }
    Rail rail = Rail.find();
    Path folder = servers.newFolder();
    List<ClientProcess> several = new ArrayList<>();
    try (ServerProcess server = servers.start(rail, folder, "none")) {
      put(server);
      ProcessesResults results = new ProcessesResults(facts(rail, folder));
      try (ClientProcess one = start(server, connections, folder.resolve("one.log"))) {
        one.awaitReady();
        for (int i = 0; i < count; i++) {
          Path log = folder.resolve("client-" + i + ".log");
          several.add(start(server, connections / count, log));
        }
        for (ClientProcess process : several) {
          process.awaitReady();
        }
        options.each(round -> results.add(served(List.of(one)).getFirst(), served(several)));
      } finally {
        several.forEach(ClientProcess::close);
      }
      return options.finish(results);
    } finally {
      ServerProcess.delete(folder);
    }
  }

  private Map<String, Object> facts(Rail rail, Path folder) throws IOException {
    Map<String, Object> facts = servers.facts(rail, folder);
    facts.put("processes", count);
    facts.put("connections", connections);
    facts.put("size", size);
    facts.put("seconds", seconds);
    return facts;
  }

  private void put(ServerProcess server) {
    try (OwnWay own = new OwnWay(server.endpoint(), RdmaPolicy.NEVER, 1)) {
      var s3 = own.client().s3();
      s3.createBucket(b -> b.bucket(BUCKET));
      byte[] content = new byte[Math.toIntExact(ByteCount.parse(size))];
      s3.putObject(b -> b.bucket(BUCKET).key(HOT), RequestBody.fromBytes(content));
      byte[] small = new byte[(int) SMALL_BYTES];
      s3.putObject(b -> b.bucket(BUCKET).key(SMALL), RequestBody.fromBytes(small));
    }
  }

  private ClientProcess start(ServerProcess server, int callers, Path log) throws IOException {
    return ClientProcess.start(
        List.of(
            "--endpoint=" + server.endpoint(),
            "--callers=" + callers,
            "--bucket=" + BUCKET,
            "--key=" + HOT,
            "--small=" + SMALL,
            "--size=" + ByteCount.parse(size)),
        log);
  }

  /** Bytes a second of each, all at once. */
  private List<Double> served(List<ClientProcess> processes) throws IOException {
    processes.forEach(process -> process.work(seconds * 1000L));
    List<Double> rates = new ArrayList<>();
    for (ClientProcess process : processes) {
      rates.add(process.rate());
    }
    return rates;
  }
}
