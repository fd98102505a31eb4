package io.s3rdma.bench;

import io.s3rdma.client.RdmaPolicy;
import io.s3rdma.client.S3RdmaClient;
import io.s3rdma.client.TransferResult;
import io.s3rdma.client.Transport;
import io.s3rdma.counters.Verdict;

/** Transfers as an application sees them: from the call to its return, over warm connections. */
final class Client implements AutoCloseable {
  private static final String BUCKET = "bench";

  private final S3RdmaClient client;
  private final Transport expected;
  private final ServerProcess server;
  private final Buffers buffers;

  Client(ServerProcess server, RdmaPolicy policy, Buffers buffers) {
    this.server = server;
    this.buffers = buffers;
    this.expected = policy == RdmaPolicy.NEVER ? Transport.HTTP : Transport.RDMA;
    this.client =
        S3RdmaClient.builder()
            .endpoint(server.endpoint())
            .credentials(ServerProcess.ACCESS_KEY, ServerProcess.SECRET_KEY)
            .policy(policy)
            .build();
  }

  void createBucket() {
    client.s3().createBucket(b -> b.bucket(BUCKET));
  }

  private static String key(long size) {
    return "object-" + size;
  }

  void put(long size) {
    check(client.putObject(BUCKET, key(size), buffers.of(size)), size);
  }

  void get(long size) {
    check(client.getObject(BUCKET, key(size), buffers.of(size)), size);
  }

  void head(long size) {
    client.s3().headObject(b -> b.bucket(BUCKET).key(key(size)));
  }

  /** A figure is one of RDMA only if the server proved that RDMA moved the bytes. */
  private void check(TransferResult result, long size) {
    boolean proved =
        expected == Transport.HTTP || result.verdict().equals(Verdict.EXACT.wireText());
    if (result.transport() != expected || result.bytes() != size || !proved) {
      throw new IllegalStateException("not what was to be measured: " + result);
    }
  }

  /** One measurement: rates as samples, CPU as samples per byte moved. */
  void measure(Runnable transfer, int times, long size, Measured into) {
    double clientBefore = Host.cpuSeconds();
    double serverBefore = server.cpuSeconds();
    long start = System.nanoTime();
    for (int i = 0; i < times; i++) {
      transfer.run();
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    long bytes = size * times;
    into.rate().add(bytes / 1048576.0 / seconds);
    into.cpu(bytes, Host.cpuSeconds() - clientBefore, server.cpuSeconds() - serverBefore);
  }

  @Override
  public void close() {
    client.close();
  }
}
