package io.s3rdma.bench;

import java.io.IOException;

/** The turns of a comparison. Not thread-safe: one thing runs at a time, as it must. */
final class FabricRun {
  private static final int WARM_UP_CALLS = 300;
  private static final int WARM_UP_ROUNDS = 3;
  private static final int FIXED_COST_CALLS = 10;
  private static final long SMALL_BYTES = 4096;

  private final FabricPlan plan;
  private final Perftest perftest;
  private final VerbsProbe probe;
  private final Client rdma;
  private final Client http;
  private final Client commit;
  private final Results results;

  FabricRun(
      FabricPlan plan,
      Perftest perftest,
      VerbsProbe probe,
      Client rdma,
      Client http,
      Client commit,
      Results results) {
    this.plan = plan;
    this.perftest = perftest;
    this.probe = probe;
    this.rdma = rdma;
    this.http = http;
    this.commit = commit;
    this.results = results;
  }

  /** Connections, registrations and the JIT: none of them belongs to a figure. */
  void warmUp() {
    rdma.createBucket();
    commit.createBucket();
    for (int i = 0; i < WARM_UP_CALLS; i++) {
      rdma.put(SMALL_BYTES);
      rdma.get(SMALL_BYTES);
      commit.put(SMALL_BYTES);
      http.get(SMALL_BYTES);
      http.put(SMALL_BYTES);
    }
    for (int i = 0; i < WARM_UP_ROUNDS; i++) {
      for (long size : plan.sizes()) {
        rdma.put(size);
        rdma.get(size);
        commit.put(size);
      }
      http.get(plan.largest());
      http.put(plan.largest());
      probe.run(Verb.WRITE);
      probe.run(Verb.READ);
    }
  }

  void round() throws IOException, InterruptedException {
    fabric(Verb.WRITE);
    for (long size : plan.sizes()) {
      int times = plan.transfers(size);
      rdma.measure(() -> rdma.get(size), times, size, results.row("GET rdma", size));
      results.row("probe WRITE", 0).rate().add(probe.run(Verb.WRITE));
    }
    fabric(Verb.READ);
    for (long size : plan.sizes()) {
      int times = plan.transfers(size);
      rdma.measure(() -> rdma.put(size), times, size, results.row("PUT rdma", size));
      results.row("probe READ", 0).rate().add(probe.run(Verb.READ));
      commit.measure(() -> commit.put(size), times, size, results.row("PUT rdma, commit", size));
    }
    long size = plan.largest();
    int times = plan.transfers(size);
    http.measure(() -> http.get(size), times, size, results.row("GET http", size));
    http.measure(() -> http.put(size), times, size, results.row("PUT http", size));
    fixedCosts();
  }

  private void fabric(Verb verb) throws IOException, InterruptedException {
    if (!plan.perftest()) {
      return;
    }
    results.row(verb.perftest(), 0).rate().add(perftest.run(verb, false));
    if (verb.perftestHasEvents()) {
      results.row(verb.perftest() + " -e", 0).rate().add(perftest.run(verb, true));
    }
  }

  /** What a call costs whatever it moves. */
  private void fixedCosts() {
    rdma.get(SMALL_BYTES);
    for (int i = 0; i < FIXED_COST_CALLS; i++) {
      results.millis("HEAD http").add(millis(() -> rdma.head(SMALL_BYTES)));
      results.millis("GET rdma 4 KiB").add(millis(() -> rdma.get(SMALL_BYTES)));
      results.millis("PUT rdma 4 KiB").add(millis(() -> rdma.put(SMALL_BYTES)));
    }
  }

  private static double millis(Runnable call) {
    long start = System.nanoTime();
    call.run();
    return (System.nanoTime() - start) / 1e6;
  }
}
