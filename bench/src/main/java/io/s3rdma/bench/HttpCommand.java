package io.s3rdma.bench;

import java.io.IOException;
import java.nio.file.Files;
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

/** GET over plain HTTP against nginx and s3proxy, in turns, on the loopback of one machine. */
@Command(
    name = "http",
    description = {
      "Compares GET over plain HTTP (presigned URLs, keep-alive) with nginx, which",
      "sends the same bytes by sendfile, and with s3proxy, in turns; then what memory",
      "1,000 idle and 200 active connections take. Prints a table and writes JSON.",
      "Needs nginx and wrk; s3proxy's jars come by Maven.",
      ""
    })
final class HttpCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private RunOptions options;

  @Option(names = "--seconds", paramLabel = "N", description = "of one measurement")
  private int seconds = 5;

  @Option(names = "--warm-up", paramLabel = "SECONDS", description = "of each server and size")
  private int warmUp = 20;

  @Option(names = "--large", paramLabel = "SIZE", description = "objects whose bytes are measured")
  private String large = "64M";

  @Option(names = "--small", paramLabel = "SIZE", description = "objects that count as requests")
  private String small = "4K";

  @Option(names = "--connections", paramLabel = "N", description = "that read large objects")
  private int largeConnections = 4;

  @Option(names = "--small-connections", paramLabel = "N", description = "that read small ones")
  private int smallConnections = 32;

  @Option(names = "--threads", paramLabel = "N", description = "threads of wrk")
  private int threads = 1;

  @Option(names = "--peers", paramLabel = "NAME", split = ",", description = "nginx, s3proxy, none")
  private List<String> peers = List.of(Nginx.NAME, S3Proxy.NAME);

  @Option(names = "--no-memory", description = "without the connections' memory")
  private boolean noMemory;

  @Option(names = "--only-memory", description = "nothing but the connections' memory")
  private boolean onlyMemory;

  @Option(names = "--server-java", paramLabel = "OPTION", description = "for our server's JVM")
  private List<String> serverJava = List.of();

  @Option(names = "--data", paramLabel = "DIR", description = "parent of the servers' data")
  private Path data = Path.of(System.getProperty("java.io.tmpdir"));

  @Option(
      names = "--s3proxy",
      paramLabel = "DIR",
      description = "s3proxy's jars; Maven puts them there if they are not")
  private Path jars = Path.of(System.getProperty("java.io.tmpdir"), "s3rdma-bench-s3proxy");

  @Override
  public Integer call() throws IOException, InterruptedException {
    HttpPlan plan = plan();
    Content content = new Content();
    HttpResults results = new HttpResults(plan);
    try {
      results.facts(facts());
      if (!onlyMemory) {
        compare(plan, content, results);
      }
      if (!noMemory) {
        results.memory(new HttpMemory(plan, content).run());
      }
    } finally {
      ServerProcess.delete(plan.data());
    }
    return options.finish(results);
  }

  private HttpPlan plan() throws IOException {
    List<String> chosen = peers.equals(List.of("none")) ? List.of() : peers;
    for (String peer : chosen) {
      if (!peer.equals(Nginx.NAME) && !peer.equals(S3Proxy.NAME)) {
        throw new ParameterException(spec.commandLine(), "--peers knows no " + peer);
      }
    }
    return new HttpPlan(
        seconds,
        warmUp,
        ByteCount.parse(large),
        ByteCount.parse(small),
        largeConnections,
        smallConnections,
        threads,
        chosen,
        Files.createTempDirectory(data, "s3rdma-bench"));
  }

  private Map<String, Object> facts() throws IOException {
    Map<String, Object> facts = Host.facts();
    facts.put(Nginx.NAME, Host.version(Nginx.PROGRAM, "-v"));
    facts.put(S3Proxy.NAME, S3Proxy.VERSION);
    facts.put(Wrk.PROGRAM, Host.version(Wrk.PROGRAM, "-v"));
    facts.put("dataFileSystem", Files.getFileStore(data).type());
    facts.put("serverJava", String.join(" ", serverJava));
    return facts;
  }

  private void compare(HttpPlan plan, Content content, HttpResults results)
      throws IOException, InterruptedException {
    Wrk wrk = new Wrk(plan.data(), plan.loadThreads());
    List<HttpPeer> running = new ArrayList<>();
    try (OwnServer own = OwnServer.start(launch(plan), content, plan.sizes())) {
      running.add(own.peer(plan.sizes()));
      if (plan.peers().contains(Nginx.NAME)) {
        Path folder = Files.createDirectories(plan.data().resolve(Nginx.NAME));
        running.add(Nginx.start(folder, content, plan.sizes()));
      }
      if (plan.peers().contains(S3Proxy.NAME)) {
        Path folder = Files.createDirectories(plan.data().resolve(S3Proxy.NAME));
        running.add(S3Proxy.start(folder, jars, content, plan.sizes()));
      }
      HttpRun run = new HttpRun(plan, wrk, running, results);
      run.check(content);
      run.warmUp();
      options.each(run::round);
    } finally {
      running.forEach(HttpPeer::close);
    }
  }

  /** As it is deployed: with the JVM's own defaults unless told otherwise. */
  private ServerLaunch launch(HttpPlan plan) {
    return new ServerLaunch(
        HttpPeer.HOST,
        plan.data().resolve(OwnServer.NAME),
        plan.data().resolve("server.log"),
        serverJava,
        ServerLaunch.MAIN,
        Map.of("rdma.enabled", "off"));
  }
}
