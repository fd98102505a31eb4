package io.s3rdma.bench;

import java.io.IOException;

/** The turns of a comparison. Not thread-safe: one thing runs at a time, as it must. */
final class FabricRun {
  private static final int WARM_UP_ROUNDS = 3;
  private static final int FIXED_COST_CALLS = 10;
  private static final long SMALL_BYTES = 4096;

  private final FabricPlan plan;
  private final Perftest perftest;
  private final VerbsProbe probe;
  private final Callers callers;
  private final Client rdma;
  private final Client http;
  private final Client commit;
  private final Results results;

  FabricRun(
      FabricPlan plan,
      Perftest perftest,
      VerbsProbe probe,
      Callers callers,
      Client rdma,
      Client http,
      Client commit,
      Results results) {
    this.plan = plan;
    this.perftest = perftest;
    this.probe = probe;
    this.callers = callers;
    this.rdma = rdma;
    this.http = http;
    this.commit = commit;
    this.results = results;
  }

  /**
   * Connections, registrations and the JIT: none of them belongs to a figure.
   *
   * @param calls small ones of each kind, since only they bring enough for the JIT
   */
  void warmUp(int calls) {
    rdma.createBucket();
    commit.createBucket();
    rdma.put(0, SMALL_BYTES);
    plan.sizes().forEach(size -> rdma.put(0, size)); // what all will read
    callers.each(caller -> warmUp(caller, Math.ceilDiv(calls, callers.count())));
    for (int i = 0; i < WARM_UP_ROUNDS; i++) {
      probe.run(Verb.WRITE);
      probe.run(Verb.READ);
    }
  }

  private void warmUp(int caller, int calls) {
    for (int i = 0; i < calls; i++) {
      rdma.put(caller, SMALL_BYTES);
      rdma.get(caller, SMALL_BYTES);
      commit.put(caller, SMALL_BYTES);
      http.get(caller, SMALL_BYTES);
      http.put(caller, SMALL_BYTES);
    }
    for (int i = 0; i < WARM_UP_ROUNDS; i++) {
      for (long size : plan.sizes()) {
        rdma.put(caller, size);
        rdma.get(caller, size);
        commit.put(caller, size);
      }
      http.put(caller, plan.largest());
      http.get(caller, plan.largest());
    }
  }

  void round() throws IOException, InterruptedException {
    fabric(Verb.WRITE);
    for (long size : plan.sizes()) {
      int times = plan.transfers(size);
      rdma.measure(caller -> rdma.get(caller, size), times, size, results.row("GET rdma", size));
      probe(Verb.WRITE);
    }
    fabric(Verb.READ);
    for (long size : plan.sizes()) {
      int times = plan.transfers(size);
      rdma.measure(caller -> rdma.put(caller, size), times, size, results.row("PUT rdma", size));
      probe(Verb.READ);
      commit.measure(
          caller -> commit.put(caller, size), times, size, results.row("PUT rdma, commit", size));
    }
    long size = plan.largest();
    int times = plan.transfers(size);
    http.measure(caller -> http.get(caller, size), times, size, results.row("GET http", size));
    http.measure(caller -> http.put(caller, size), times, size, results.row("PUT http", size));
    fixedCosts();
  }

  private void probe(Verb verb) {
    double before = probe.postSeconds();
    double rate = probe.run(verb);
    Measured row = results.row("probe " + verb, 0);
    row.rate().add(rate);
    row.cpu(probe.bytes(), 0, probe.postSeconds() - before);
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
    rdma.get(0, SMALL_BYTES);
    for (int i = 0; i < FIXED_COST_CALLS; i++) {
      results.millis("HEAD http").add(millis(() -> rdma.head(SMALL_BYTES)));
      results.millis("GET rdma 4 KiB").add(millis(() -> rdma.get(0, SMALL_BYTES)));
      results.millis("PUT rdma 4 KiB").add(millis(() -> rdma.put(0, SMALL_BYTES)));
    }
  }

  private static double millis(Runnable call) {
    long start = System.nanoTime();
    call.run();
    return (System.nanoTime() - start) / 1e6;
  }
}
