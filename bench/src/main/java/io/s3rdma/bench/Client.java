package io.s3rdma.bench;

import io.s3rdma.client.RdmaPolicy;
import io.s3rdma.client.S3RdmaClient;
import io.s3rdma.client.Transport;
import java.util.function.IntConsumer;

/** Transfers as an application sees them: from the call to its return, over warm connections. */
final class Client implements AutoCloseable {
  private static final String BUCKET = "bench";

  private final S3RdmaClient client;
  private final Transport expected;
  private final ServerProcess server;
  private final Callers callers;
  private final Buffers buffers;

  Client(ServerProcess server, RdmaPolicy policy, Callers callers, Buffers buffers) {
    this.server = server;
    this.callers = callers;
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

  private static String key(int caller, long size) {
    return "object-" + size + "-" + caller;
  }

  /** Every caller writes an object of its own. */
  void put(int caller, long size) {
    Proved.check(
        client.putObject(BUCKET, key(caller, size), buffers.of(caller, size)), expected, size);
  }

  /** All callers read one object: a hot one. */
  void get(int caller, long size) {
    Proved.check(client.getObject(BUCKET, key(0, size), buffers.of(caller, size)), expected, size);
  }

  void head(long size) {
    client.s3().headObject(b -> b.bucket(BUCKET).key(key(0, size)));
  }

  /**
   * One measurement, by all callers at once: rates as samples, CPU as samples per byte moved.
   *
   * @param times transfers of each caller
   */
  void measure(IntConsumer transfer, int times, long size, Measured into) {
    double clientBefore = Host.cpuSeconds();
    double serverBefore = server.cpuSeconds();
    long start = System.nanoTime();
    callers.each(
        caller -> {
          for (int i = 0; i < times; i++) {
            transfer.accept(caller);
          }
        });
    double seconds = (System.nanoTime() - start) / 1e9;
    long bytes = size * times * callers.count();
    into.rate().add(bytes / 1048576.0 / seconds);
    into.cpu(bytes, Host.cpuSeconds() - clientBefore, server.cpuSeconds() - serverBefore);
  }

  @Override
  public void close() {
    client.close();
  }
}
