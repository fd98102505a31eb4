package io.s3rdma.bench;

import io.s3rdma.client.RdmaPolicy;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** GET against ib_write_bw and PUT against ib_read_bw, in turns, on one device. */
@Command(
    name = "fabric",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    showDefaultValues = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:measured; with --check: and every bar is met",
      "1:something did not work; see the message",
      "2:the command line is wrong",
      "3:with --check: a bar is not met"
    },
    description = {
      "Compares GET with ib_write_bw and PUT with ib_read_bw: same device, MTU, chunk size and",
      "work requests in flight, in turns. Prints a table and writes JSON.",
      ""
    })
final class FabricCommand implements Callable<Integer> {
  private static final int NOT_MET = 3;

  @Spec private CommandSpec spec;

  @Option(names = "--rounds", paramLabel = "N", description = "times that all are measured")
  private int rounds = 7;

  @Option(names = "--sizes", paramLabel = "SIZE", split = ",", description = "object sizes")
  private List<String> sizes = List.of("1M", "16M", "64M");

  @Option(names = "--chunk", paramLabel = "SIZE", description = "bytes of one work request")
  private String chunk = "1M";

  @Option(names = "--in-flight", paramLabel = "N", description = "work requests in flight")
  private int inFlight = 4;

  @Option(names = "--round-bytes", paramLabel = "SIZE", description = "moved by one measurement")
  private String roundBytes = "64M";

  // Memory: what is compared is the fabric, not a disk, and a guest's disk is the host's files.
  @Option(names = "--data", paramLabel = "DIR", description = "parent of the servers' data")
  private Path data = Path.of("/dev/shm");

  @Option(names = "--no-perftest", description = "compare with the own probe only")
  private boolean noPerftest;

  @Option(names = "--out", paramLabel = "FILE", description = "where the JSON goes")
  private Path out = Path.of("fabric.json");

  @Option(names = "--check", description = "fail if a bar is not met")
  private boolean check;

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter text = spec.commandLine().getOut();
    Rail rail = Rail.find();
    Path folder = Files.createTempDirectory(data, "s3rdma-bench");
    FabricPlan plan =
        new FabricPlan(
            rounds,
            sizes.stream().map(ByteCount::parse).toList(),
            ByteCount.parse(chunk),
            inFlight,
            ByteCount.parse(roundBytes),
            folder,
            !noPerftest);
    Results results = new Results(plan);
    try (ServerProcess server = server(rail, plan, "none");
        ServerProcess durable = server(rail, plan, "commit");
        Buffers buffers = new Buffers();
        VerbsProbe probe = new VerbsProbe(plan, rail);
        Client rdma = new Client(server, RdmaPolicy.REQUIRE, buffers);
        Client http = new Client(server, RdmaPolicy.NEVER, buffers);
        Client commit = new Client(durable, RdmaPolicy.REQUIRE, buffers)) {
      results.facts(Host.facts(rail, plan));
      FabricRun run =
          new FabricRun(plan, new Perftest(plan, rail), probe, rdma, http, commit, results);
      run.warmUp();
      for (int round = 1; round <= plan.rounds(); round++) {
        run.round();
        text.printf("round %d of %d, load %s%n", round, plan.rounds(), Host.load());
        text.flush();
      }
    } finally {
      ServerProcess.delete(folder);
    }
    results.print(text);
    results.write(out);
    text.println("facts and rounds: " + out.toAbsolutePath());
    text.flush();
    return check && !results.barsMet() ? NOT_MET : 0;
  }

  private static ServerProcess server(Rail rail, FabricPlan plan, String durability)
      throws IOException {
    Path data = plan.data().resolve(durability);
    Map<String, Object> settings =
        Map.of(
            "store.durability",
            durability,
            "rdma.enabled",
            "on",
            "rdma.chunk-bytes",
            plan.chunkBytes(),
            "rdma.chunks-in-flight",
            plan.chunksInFlight());
    return ServerProcess.start(
        new ServerLaunch(
            rail.address().getHostAddress(),
            data,
            plan.data().resolve("server-" + durability + ".log"),
            List.of("-XX:+UseSerialGC"),
            ServerLaunch.MAIN,
            settings));
  }
}
