package io.s3rdma.bench.faults;

import io.s3rdma.client.RdmaPolicy;
import io.s3rdma.client.S3RdmaClient;
import io.s3rdma.rdma.HostBuffer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What scenarios work with: the server that all of them share, the load, and where the results go.
 * One thread.
 */
final class Bench implements AutoCloseable {
  private final Path data;
  private final Objects objects = new Objects();
  private final int transfers;
  private final int mixed;
  private final int cycles;
  private final Map<String, Integer> acknowledged = new ConcurrentHashMap<>();
  private boolean restarted;
  private boolean others;
  private FaultServer server;
  private Tally tally = new Tally();

  /**
   * @param transfers of a scenario
   * @param mixed transfers of the scenario of that name
   * @param cycles connects and disconnects
   */
  Bench(Path data, int transfers, int mixed, int cycles) throws IOException {
    this.data = data;
    this.transfers = transfers;
    this.mixed = mixed;
    this.cycles = cycles;
    restart();
  }

  /** A new server with the same data. */
  void restart() throws IOException {
    if (server != null) {
      server.close();
    }
    server = FaultServer.start(data.resolve("data"), "", Map.of());
    restarted = true;
    prepare(server);
  }

  /** Whether there is another server than at the last call. */
  boolean forgetRestart() {
    boolean was = restarted;
    restarted = false;
    return was;
  }

  /** Whether the current tally and the shared server's totals are of the same transfers. */
  boolean totalsCompare() {
    return !others;
  }

  /** The shared server has transfers that nobody will tell of. */
  void missTransfers() {
    others = true;
  }

  /** The bucket and the known objects. */
  void prepare(FaultServer fresh) {
    try (S3RdmaClient client = fresh.client(RdmaPolicy.NEVER).build()) {
      if (client.s3().listBuckets().buckets().isEmpty()) {
        client.s3().createBucket(b -> b.bucket(FaultServer.BUCKET));
        objects.store(client);
      }
    }
  }

  Path data() {
    return data;
  }

  FaultServer server() {
    return server;
  }

  Objects objects() {
    return objects;
  }

  Tally tally() {
    return tally;
  }

  Tally newTally() {
    tally = new Tally();
    others = false;
    return tally;
  }

  int mixed() {
    return mixed;
  }

  int cycles() {
    return cycles;
  }

  int transfers() {
    return transfers;
  }

  void load() throws IOException {
    load(server, RdmaPolicy.REQUIRE, transfers);
  }

  void load(FaultServer target, RdmaPolicy policy, int count) throws IOException {
    load(target, policy, count, Load.WORKERS);
  }

  /** So many transfers at once. */
  void load(FaultServer target, RdmaPolicy policy, int count, int workers) throws IOException {
    others |= target != server;
    new Load(objects, tally, acknowledged, "put-", workers).run(target.endpoint(), policy, count);
  }

  /** A load that runs while something is done to the hosts. */
  void loadWhile(int count, Scenario.Body body) throws IOException {
    IOException[] failure = new IOException[1];
    Thread running =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    load(server, RdmaPolicy.REQUIRE, count);
                  } catch (IOException e) {
                    failure[0] = e;
                  }
                });
    try {
      body.run(this);
    } finally {
      join(running);
    }
    if (failure[0] != null) {
      throw failure[0];
    }
  }

  /** Load of a process of its own; the caller closes it. */
  FaultClient startClient(RdmaPolicy policy, int count, String prefix) throws IOException {
    return FaultClient.start(server.endpoint(), policy, count, prefix);
  }

  /** What the server said it had stored is there, whole, whatever became of the server. */
  void requireAcknowledged() {
    try (S3RdmaClient client = server.client(RdmaPolicy.NEVER).build();
        HostBuffer target = HostBuffer.allocate(Objects.largest())) {
      acknowledged.forEach(
          (key, which) -> {
            HostBuffer content = objects.content(which);
            target.segment().fill((byte) 0);
            boolean same =
                client.getObject(FaultServer.BUCKET, key, target).bytes() == content.lengthBytes()
                    && Load.same(content, target);
            if (!same) {
              tally.wrong(key + " was acknowledged and is not there whole");
            }
          });
    }
  }

  static void join(Thread thread) throws IOException {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public void close() throws IOException {
    objects.close();
    server.close();
  }
}
