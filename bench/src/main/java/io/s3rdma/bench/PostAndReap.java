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
 * the fake device, whose own cost (a thread's hand-over and a copy of 64 bytes) is in the time, so
 * the time is an upper bound of ours and says nothing about RDMA. The allocation rate must be below
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
  static final int CHUNKS = 16;
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
    queue = device.createCompletionQueue(4 * CHUNKS);
    region =
        domain.register(
            arena.allocate(2L * CHUNKS * CHUNK_BYTES, 4096),
            EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE));
    initiator = domain.createQueuePair(queue, CHUNKS);
    responder = domain.createQueuePair(queue, CHUNKS);
    connect(initiator, responder);
    connect(responder, initiator);
    chunks = new ChunkList(arena);
    batch = new CompletionBatch(arena, CHUNKS);
  }

  private void connect(QueuePair pair, QueuePair peer) {
    GidEntry gid = device.gids(1).getLast();
    int mtu = device.port(1).activeMtuBytes();
    pair.toInit(1, EnumSet.of(Access.REMOTE_WRITE));
    pair.toReadyToReceive(
        new ReadyToReceive(gid.gid(), peer.number(), PSN, 1, gid.index(), mtu, 1, 0, 0));
    pair.toReadyToSend(new ReadyToSend(PSN, 1, 16, 6));
  }

  /** Posts sixteen chunks with one call and reaps them in batches. */
  @Benchmark
  @OperationsPerInvocation(CHUNKS)
  public long batchOfSixteen() {
    return postAndReap(CHUNKS);
  }

  /** Posts one chunk and reaps it: how a refill of one slot goes. */
  @Benchmark
  public long one() {
    return postAndReap(1);
  }

  private long postAndReap(int count) {
    chunks.clear();
    long target = region.address() + (long) CHUNKS * CHUNK_BYTES;
    for (int i = 0; i < count; i++) {
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
    long ids = 0;
    for (int done = 0; done < count; ) {
      int reaped = queue.poll(batch);
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
