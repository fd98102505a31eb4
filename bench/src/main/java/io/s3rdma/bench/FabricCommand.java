package io.s3rdma.bench;

import io.s3rdma.client.RdmaPolicy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** GET against ib_write_bw and PUT against ib_read_bw, in turns, on one device. */
@Command(
    name = "fabric",
    description = {
      "Compares GET with ib_write_bw and PUT with ib_read_bw: same device, MTU, chunk size and",
      "work requests in flight, in turns. Prints a table and writes JSON.",
      ""
    })
final class FabricCommand implements Callable<Integer> {
  @Mixin private RunOptions options;

  @Mixin private FabricOptions servers;

  @Option(names = "--sizes", paramLabel = "SIZE", split = ",", description = "object sizes")
  private List<String> sizes = List.of("1M", "16M", "64M");

  @Option(
      names = "--connections",
      paramLabel = "N",
      description = "callers at once, a connection each; perftest gets as many queue pairs")
  private int connections = 1;

  @Option(
      names = "--round-bytes",
      paramLabel = "SIZE",
      description = "moved by one measurement at least")
  private String roundBytes = "64M";

  @Option(names = "--warm-up", paramLabel = "N", description = "small calls of each kind before")
  private int warmUp = 2_000;

  @Option(names = "--no-perftest", description = "compare with the own probe only")
  private boolean noPerftest;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Rail rail = Rail.find();
    FabricPlan plan = plan();
    Path folder = servers.newFolder();
    Results results = new Results(plan);
    try (ServerProcess server = servers.start(rail, folder, "none");
        ServerProcess durable = servers.start(rail, folder, "commit");
        Callers callers = new Callers(connections);
        Buffers buffers = new Buffers();
        VerbsProbe probe = new VerbsProbe(plan, rail);
        Client rdma = new Client(server, RdmaPolicy.REQUIRE, callers, buffers);
        Client http = new Client(server, RdmaPolicy.NEVER, callers, buffers);
        Client commit = new Client(durable, RdmaPolicy.REQUIRE, callers, buffers)) {
      results.facts(facts(rail, plan, folder));
      FabricRun run =
          new FabricRun(
              plan, new Perftest(plan, rail), probe, callers, rdma, http, commit, results);
      run.warmUp(warmUp);
      options.each(number -> run.round());
    } finally {
      ServerProcess.delete(folder);
    }
    return options.finish(results);
  }

  private FabricPlan plan() {
    return new FabricPlan(
        sizes.stream().map(ByteCount::parse).toList(),
        connections,
        servers.chunkBytes(),
        servers.inFlight(),
        ByteCount.parse(roundBytes),
        !noPerftest);
  }

  private Map<String, Object> facts(Rail rail, FabricPlan plan, Path folder) throws IOException {
    Map<String, Object> facts = servers.facts(rail, folder);
    facts.put("perftest", Host.version(Verb.WRITE.perftest(), "--version"));
    facts.put("connections", plan.connections());
    facts.put("roundBytes", plan.roundBytes());
    facts.put("warmUpCalls", warmUp);
    return facts;
  }
}
