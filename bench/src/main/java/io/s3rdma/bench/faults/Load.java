package io.s3rdma.bench.faults;

import io.s3rdma.client.RdmaPolicy;
import io.s3rdma.client.S3RdmaClient;
import io.s3rdma.client.TransferResult;
import io.s3rdma.rdma.HostBuffer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Transfers of mixed sizes by several threads, GETs and PUTs in turn, every byte compared. A buffer
 * whose transfer failed is poisoned at once and must still be so when it is used again (P-4.9).
 */
final class Load {
  static final int ATTEMPTS = 2;
  static final long DEADLINE_MILLIS = 8_000;

  /**
   * The longest that one transfer may take: each attempt may wait for its connect, for its answer
   * five seconds longer than the deadline, and for Soft-RoCE's 50 s to end a queue pair.
   */
  static final double SECONDS_MAX = ATTEMPTS * (DEADLINE_MILLIS / 1000.0 + 5 + 18) + 55;

  static final int WORKERS = 8;
  private static final byte POISON = 0x6b;

  private final Objects objects;
  private final Tally tally;
  private final Map<String, Integer> acknowledged;
  private final String prefix;
  private final int workers;

  /**
   * {@code acknowledged} gets what is stored for certain: number of the content by key.
   *
   * @param prefix of the keys that it stores, so that two processes do not share one
   * @param workers transfers at once
   */
  Load(
      Objects objects, Tally tally, Map<String, Integer> acknowledged, String prefix, int workers) {
    this.workers = workers;
    this.objects = objects;
    this.tally = tally;
    this.acknowledged = acknowledged;
    this.prefix = prefix;
  }

  /** Runs that many and returns when all have ended. */
  void run(URI server, RdmaPolicy policy, int transfers) throws IOException {
    AtomicInteger left = new AtomicInteger(transfers);
    try (S3RdmaClient client = FaultServer.client(server, policy).connectionsMax(workers).build();
        S3RdmaClient plain = FaultServer.client(server, RdmaPolicy.NEVER).build();
        ExecutorService threads = Executors.newFixedThreadPool(workers)) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < workers; i++) {
        int number = i;
        running.add(threads.submit(() -> work(client, plain, number, left)));
      }
      for (Future<?> each : running) {
        each.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("a worker ended: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private void work(S3RdmaClient client, S3RdmaClient plain, int number, AtomicInteger left) {
    Random random = new Random(number);
    try (HostBuffer target = HostBuffer.allocate(Objects.largest());
        HostBuffer readBack = HostBuffer.allocate(Objects.largest())) {
      boolean poisoned = false;
      while (left.decrementAndGet() >= 0) {
        int which = random.nextInt(objects.count());
        if (poisoned) {
          checkPoison(target);
        }
        if (random.nextInt(3) == 0) {
          put(client, plain, which, prefix + number, readBack);
        } else {
          poisoned = !get(client, which, target);
        }
      }
      if (poisoned) {
        checkPoison(target);
      }
    }
  }

  /** False if it failed: the buffer is poisoned then. */
  private boolean get(S3RdmaClient client, int which, HostBuffer target) {
    HostBuffer content = objects.content(which);
    target.segment().asSlice(0, content.lengthBytes()).fill((byte) 0);
    long start = System.nanoTime();
    try {
      TransferResult result = client.getObject(FaultServer.BUCKET, Objects.key(which), target);
      boolean same = same(content, target);
      tally.done(result, same, "GET of " + content.lengthBytes() + " bytes", since(start));
      return true;
    } catch (RuntimeException e) {
      target.segment().fill(POISON);
      tally.failed(e, since(start));
      return false;
    }
  }

  private void put(
      S3RdmaClient client, S3RdmaClient plain, int which, String key, HostBuffer readBack) {
    HostBuffer content = objects.content(which);
    long start = System.nanoTime();
    acknowledged.remove(key); // in doubt until it is answered
    TransferResult result;
    try {
      result = client.putObject(FaultServer.BUCKET, key, content);
    } catch (RuntimeException e) {
      tally.failed(e, since(start));
      return;
    }
    double seconds = since(start);
    acknowledged.put(key, which);
    boolean same;
    try {
      readBack.segment().asSlice(0, content.lengthBytes()).fill((byte) 0);
      TransferResult back = plain.getObject(FaultServer.BUCKET, key, readBack);
      same = back.bytes() == content.lengthBytes() && same(content, readBack);
    } catch (RuntimeException e) {
      // Of what was acknowledged nothing may be missing; a server that is away cannot be asked.
      same = !Tally.typeOf(e).startsWith("NoSuch");
    }
    tally.done(result, same, "PUT of " + content.lengthBytes() + " bytes", seconds);
  }

  static boolean same(HostBuffer content, HostBuffer target) {
    long length = content.lengthBytes();
    return MemorySegment.mismatch(content.segment(), 0, length, target.segment(), 0, length) == -1;
  }

  private void checkPoison(HostBuffer target) {
    for (long i = 0; i < target.lengthBytes(); i++) {
      if (target.segment().get(ValueLayout.JAVA_BYTE, i) != POISON) {
        tally.wrong("byte " + i + " changed after its transfer had failed");
        return;
      }
    }
  }

  private static double since(long start) {
    return (System.nanoTime() - start) / 1e9;
  }
}
