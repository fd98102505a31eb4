package io.s3rdma.bench.faults;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.s3rdma.rdma.Rdma;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs the fault suite; started by {@code ci/faults} on the client's host. */
@Command(
    name = "faults",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    showDefaultValues = true,
    description = "The fault suite on two Soft-RoCE hosts; run it by ci/faults, which makes them.")
public final class FaultsCommand implements Callable<Integer> {
  /** Soft-RoCE may take 50 s to end a queue pair, and the server's idle connections 4 s. */
  private static final int RETURN_SECONDS = 75;

  private static final int SHORT_TRANSFERS = 40;
  private static final int SHORT_CYCLES = 20;

  @Spec private CommandSpec spec;

  @Option(names = "--only", paramLabel = "NAME", split = ",", description = "these scenarios")
  private List<String> only = List.of();

  @Option(names = "--short", description = "a few scenarios and little load")
  private boolean isShort;

  @Option(names = "--list", description = "tell the scenarios, and end")
  private boolean list;

  @Option(names = "--transfers", paramLabel = "N", description = "of a scenario")
  private int transfers = 120;

  @Option(names = "--mixed", paramLabel = "N", description = "transfers of the scenario mixed")
  private int mixed = 2_000;

  @Option(names = "--cycles", paramLabel = "N", description = "of the scenario cycles")
  private int cycles = 500;

  @Option(names = "--data", paramLabel = "DIR", description = "for the servers' data and logs")
  private Path data = Path.of("/dev/shm/s3rdma-faults");

  @Option(names = "--out", paramLabel = "FILE", description = "rows as JSON")
  private Path out;

  private PrintWriter text;

  @Override
  public Integer call() throws IOException {
    text = spec.commandLine().getOut();
    List<Scenario> chosen = chosen();
    if (list) {
      chosen.forEach(s -> text.printf("%-15s %s%n", s.name(), s.what()));
      text.flush();
      return 0;
    }
    if (!Rdma.libraryAvailability().available() || !Rdma.provider().equals("verbs")) {
      throw new IllegalStateException("needs libibverbs: " + Rdma.libraryAvailability().cause());
    }
    List<Row> rows = new ArrayList<>();
    try (Bench bench =
        isShort
            ? new Bench(data, SHORT_TRANSFERS, SHORT_TRANSFERS, SHORT_CYCLES)
            : new Bench(data, transfers, mixed, cycles)) {
      // Threads, pools and classes of both sides are there before anything is counted.
      bench.load();
      bench.load();
      startVirtualThreads(bench);
      bench.forgetRestart();
      Counts start = settled(bench, null);
      text.println(Row.HEAD);
      for (Scenario scenario : chosen) {
        Row row = run(bench, scenario, start);
        rows.add(row);
        text.println(row.line());
        text.flush();
        start = bench.forgetRestart() ? settled(bench, null) : start;
      }
    }
    if (out != null) {
      new ObjectMapper().writeValue(out.toFile(), rows.stream().map(Row::json).toList());
    }
    long broken = rows.stream().filter(row -> !row.holds()).count();
    text.printf("%d of %d scenarios hold%n", rows.size() - broken, rows.size());
    text.flush();
    return broken == 0 ? 0 : 1;
  }

  /**
   * The JVM's carriers and pollers of virtual threads, which the client uses after a failure, come
   * with the first of them and stay.
   */
  private static void startVirtualThreads(Bench bench) throws IOException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      threads.add(
          Thread.startVirtualThread(
              () -> {
                try {
                  Counts.metrics(bench.server().endpoint());
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              }));
    }
    for (Thread thread : threads) {
      Bench.join(thread);
    }
  }

  private List<Scenario> chosen() {
    List<String> names = Scenarios.all().stream().map(Scenario::name).toList();
    for (String name : only) {
      if (!names.contains(name)) {
        throw new ParameterException(
            spec.commandLine(), "--only " + name + ": there are " + String.join(", ", names));
      }
    }
    return Scenarios.all().stream()
        .filter(s -> only.isEmpty() ? !isShort || s.isShort() : only.contains(s.name()))
        .toList();
  }

  private Row run(Bench bench, Scenario scenario, Counts start) throws IOException {
    long began = System.nanoTime();
    Tally tally = bench.newTally();
    long pid = bench.server().pid();
    long exactBefore = judged(bench, "exact");
    try {
      scenario.body().run(bench);
    } catch (IOException | RuntimeException e) {
      tally.wrong("the scenario ended with " + e);
    }
    if (!bench.server().isAlive()) {
      tally.wrong("the server has ended");
      bench.restart();
    }
    if (!scenario.mayFail() && !tally.failures().isEmpty()) {
      tally.wrong("transfers failed where nothing was wrong");
    }
    if (tally.slowestSeconds() > Load.SECONDS_MAX) {
      tally.wrong("a transfer took longer than " + Load.SECONDS_MAX + " s");
    }
    boolean same = bench.server().pid() == pid;
    if (same) {
      checkTotals(bench, tally, exactBefore);
    }
    // A new server starts from other counts; what it must give back the next scenario shows.
    Map<String, String> leaks = same ? settled(bench, start).above(start) : Map.of();
    return new Row(scenario, tally, leaks, tally.wrong(), (System.nanoTime() - began) / 1e9);
  }

  /** Whatever a client saw proved, the server has counted; it may have proved more than arrived. */
  private static void checkTotals(Bench bench, Tally tally, long exactBefore) throws IOException {
    long counted = judged(bench, "exact") - exactBefore;
    boolean quiet = tally.failures().isEmpty() && tally.retries() == 0;
    if (bench.totalsCompare() && (counted < tally.exact() || (quiet && counted != tally.exact()))) {
      tally.wrong("clients saw %d exact, the server counts %d".formatted(tally.exact(), counted));
    }
    long lies = judged(bench, "contradicted");
    if (lies > 0) {
      tally.wrong(lies + " transfers contradicted");
    }
  }

  private static long judged(Bench bench, String verdict) throws IOException {
    return Counts.figure(
        Counts.metrics(bench.server().endpoint()),
        "s3rdma_rdma_verdicts_total{verdict=\"" + verdict + "\"}");
  }

  /** The counts, as soon as none is above the start; else what they are after the limit. */
  private static Counts settled(Bench bench, Counts start) throws IOException {
    long until = System.nanoTime() + RETURN_SECONDS * 1_000_000_000L;
    Counts last = null;
    int calm = 0;
    while (true) {
      Counts now = Counts.of(bench.server());
      boolean done = start == null ? now.equals(last) && ++calm >= 5 : now.above(start).isEmpty();
      if (done || System.nanoTime() > until) {
        return now;
      }
      calm = now.equals(last) ? calm : 0;
      last = now;
      Shell.pause(1_000);
    }
  }
}
