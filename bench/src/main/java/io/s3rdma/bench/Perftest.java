package io.s3rdma.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a pair of perftest processes on this host: what the fabric gives without S3. */
final class Perftest {
  private static final int PAIRS_MAX = 3;
  private static final int TRIES = 50;
  private static final int TRY_PAUSE_MILLIS = 200;
  private static final int END_SECONDS = 60;

  private final FabricPlan plan;
  private final Rail rail;

  Perftest(FabricPlan plan, Rail rail) {
    this.plan = plan;
    this.rail = rail;
  }

  /** Mean MiB/s of one run; perftest calls MiB "MB". A pair that fails is run again. */
  double run(Verb verb, boolean events) throws IOException, InterruptedException {
    List<String> command = command(verb, events);
    StringBuilder said = new StringBuilder();
    for (int i = 0; i < PAIRS_MAX; i++) {
      double rate = runPair(command, said);
      if (rate > 0) {
        return rate;
      }
    }
    throw new IOException(String.join(" ", command) + " gave no rate: " + said);
  }

  private double runPair(List<String> command, StringBuilder said)
      throws IOException, InterruptedException {
    Path log = Files.createTempFile("perftest", ".log");
    Process server = start(command, log);
    try {
      List<String> towards = new ArrayList<>(command);
      towards.add(rail.address().getHostAddress());
      for (int i = 0; i < TRIES && server.isAlive(); i++) {
        // The client gives up at once as long as the server does not listen yet.
        TimeUnit.MILLISECONDS.sleep(TRY_PAUSE_MILLIS);
        Process client = new ProcessBuilder(towards).redirectErrorStream(true).start();
        String report = new String(client.getInputStream().readAllBytes(), Host.CHARSET);
        double rate = rateOf(report);
        if (rate > 0) {
          return rate;
        }
        said.append(report);
      }
      said.append(Files.readString(log));
      return 0;
    } finally {
      end(server);
      Files.delete(log);
    }
  }

  private static Process start(List<String> command, Path log) throws IOException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  private static void end(Process server) throws InterruptedException {
    if (!server.waitFor(2, TimeUnit.SECONDS)) {
      server.destroy();
      server.waitFor(END_SECONDS, TimeUnit.SECONDS);
    }
  }

  private List<String> command(Verb verb, boolean events) {
    List<String> command = new ArrayList<>();
    command.add(verb.perftest());
    command.addAll(List.of("-F", "-d", rail.device(), "-i", Integer.toString(rail.port())));
    command.addAll(List.of("-x", Integer.toString(rail.gidIndex())));
    command.addAll(List.of("-m", Integer.toString(rail.mtuBytes())));
    command.addAll(List.of("-s", Long.toString(plan.chunkBytes())));
    command.addAll(List.of("-t", Integer.toString(plan.chunksInFlight())));
    command.addAll(List.of("-q", Integer.toString(plan.connections())));
    command.addAll(List.of("-n", Long.toString(plan.chunksEach())));
    if (events) {
      command.add("-e");
    }
    return command;
  }

  /** The line of the report that starts with the size has the mean rate as its fourth word. */
  private double rateOf(String report) {
    String size = Long.toString(plan.chunkBytes());
    return report
        .lines()
        .map(line -> line.trim().split("\\s+", -1))
        .filter(words -> words.length >= 4 && words[0].equals(size))
        .mapToDouble(words -> Double.parseDouble(words[3]))
        .findFirst()
        .orElse(0);
  }
}
