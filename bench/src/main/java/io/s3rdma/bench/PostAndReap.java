package io.s3rdma.bench;

import io.s3rdma.rdma.Access;
import io.s3rdma.rdma.ChunkList;
import io.s3rdma.rdma.CompletionBatch;
import io.s3rdma.rdma.CompletionQueue;
import io.s3rdma.rdma.CompletionStatus;
import io.s3rdma.rdma.GidEntry;
import io.s3rdma.rdma.MemoryRegion;
import io.s3rdma.rdma.ProtectionDomain;
import io.s3rdma.rdma.QueuePair;
import io.s3rdma.rdma.Rdma;
import io.s3rdma.rdma.RdmaDevice;
import io.s3rdma.rdma.ReadyToReceive;
import io.s3rdma.rdma.ReadyToSend;
import java.lang.foreign.Arena;
import java.util.EnumSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the path of every chunk costs: fill a work request, post, poll, read the completion. Over
 * the fake device, which makes a thread's hand-over and a copy of 64 bytes of each chunk: the time
 * that passes is mostly its own and says nothing about RDMA. So many chunks are posted before this
 * thread sleeps until the fake is done, and {@link CpuProfiler} shows what this thread alone burns.
 * The fake's lock and the wake-up of its thread are still in it. The allocation rate must be below
 * a byte: what JMH shows then is its own.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
    value = 2,
    jvmArgsAppend = {
      "--enable-native-access=ALL-UNNAMED",
      "-Ds3rdma.native.provider=fake",
      "-XX:+UseSerialGC"
    })
public class PostAndReap {
  static final int BATCH = 16;
  static final int CHUNKS = 1024;
  private static final long PAUSE_NANOS = 200_000;
  private static final int CHUNK_BYTES = 64;
  private static final int PSN = 7;

  private Arena arena;
  private RdmaDevice device;
  private ProtectionDomain domain;
  private CompletionQueue queue;
  private MemoryRegion region;
  private QueuePair initiator;
  private QueuePair responder;
  private ChunkList chunks;
  private CompletionBatch batch;

  @Setup
  @SuppressWarnings("MustBeClosedChecker") // closed in close(), after everything in it
  public void open() {
    arena = Arena.ofShared();
    device = Rdma.open(Rdma.deviceNames().getFirst());
    domain = device.allocateProtectionDomain();
    queue = device.createCompletionQueue(2 * CHUNKS);
    region =
        domain.register(
            arena.allocate(2L * CHUNKS * CHUNK_BYTES, 4096),
            EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE));
    initiator = domain.createQueuePair(queue, CHUNKS);
    responder = domain.createQueuePair(queue, 1);
    connect(initiator, responder);
    connect(responder, initiator);
    chunks = new ChunkList(arena);
    batch = new CompletionBatch(arena, BATCH);
  }

  private void connect(QueuePair pair, QueuePair peer) {
    GidEntry gid = device.gids(1).getLast();
    int mtu = device.port(1).activeMtuBytes();
    pair.toInit(1, EnumSet.of(Access.REMOTE_WRITE));
    pair.toReadyToReceive(
        new ReadyToReceive(gid.gid(), peer.number(), PSN, 1, gid.index(), mtu, 1, 0, 0));
    pair.toReadyToSend(new ReadyToSend(PSN, 1, 16, 6));
  }

  /** Sixteen chunks a post call, at most sixteen completions a poll: the engine's case. */
  @Benchmark
  @OperationsPerInvocation(CHUNKS)
  public long batchesOfSixteen() {
    return postAndReap(BATCH);
  }

  /** One chunk a post call: how a refill of one slot goes. */
  @Benchmark
  @OperationsPerInvocation(CHUNKS)
  public long one() {
    return postAndReap(1);
  }

  private long postAndReap(int batchSize) {
    for (int from = 0; from < CHUNKS; from += batchSize) {
      post(from, batchSize);
    }
    long ids = 0;
    for (int done = 0; done < CHUNKS; ) {
      int reaped = queue.poll(batch);
      if (reaped == 0) {
        LockSupport.parkNanos(PAUSE_NANOS); // waiting is the fake's, and must not burn CPU here
      }
      for (int i = 0; i < reaped; i++) {
        if (batch.status(i) != CompletionStatus.SUCCESS) {
          throw new IllegalStateException("completion with " + batch.status(i));
        }
        ids += batch.id(i);
      }
      done += reaped;
    }
    return ids;
  }

  private void post(int from, int count) {
    chunks.clear();
    long target = region.address() + (long) CHUNKS * CHUNK_BYTES;
    for (int i = from; i < from + count; i++) {
      long at = (long) i * CHUNK_BYTES;
      chunks.add(
          i,
          region.address() + at,
          region.localKey(),
          target + at,
          region.remoteKey().value(),
          CHUNK_BYTES,
          true);
    }
    initiator.postWrites(chunks);
  }

  @TearDown
  public void close() {
    initiator.toError();
    responder.toError();
    initiator.close();
    responder.close();
    region.close();
    queue.close();
    domain.close();
    device.close();
    arena.close();
  }
}
