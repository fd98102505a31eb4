package io.s3rdma.bench;

import io.s3rdma.rdma.Access;
import io.s3rdma.rdma.ChunkList;
import io.s3rdma.rdma.CompletionBatch;
import io.s3rdma.rdma.CompletionQueue;
import io.s3rdma.rdma.CompletionStatus;
import io.s3rdma.rdma.MemoryRegion;
import io.s3rdma.rdma.ProtectionDomain;
import io.s3rdma.rdma.QueuePair;
import io.s3rdma.rdma.Rdma;
import io.s3rdma.rdma.RdmaDevice;
import io.s3rdma.rdma.ReadyToReceive;
import io.s3rdma.rdma.ReadyToSend;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Event-driven WRITE and READ between two queue pairs of this process, nothing else: what the
 * fabric gives to software that sleeps until a completion comes. perftest has no such mode for
 * WRITE, and where one CPU is the poller's, the kernel's and the peer's, its polled figure is too
 * low to compare with.
 *
 * <p>Not thread-safe. Close order: queue pairs to ERROR, regions, queue, domain, device, arena.
 */
final class VerbsProbe implements AutoCloseable {
  private static final int PSN = 100;
  private static final int READS = 16;
  private static final int TIMEOUT = 16;
  private static final int RETRIES = 6;
  private static final int WAIT_MILLIS = 10_000;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final FabricPlan plan;
  private final Arena arena;
  private final RdmaDevice device;
  private final ProtectionDomain domain;
  private final CompletionQueue queue;
  private final MemoryRegion local;
  private final MemoryRegion remote;
  private final List<QueuePair> initiators = new ArrayList<>();
  private final List<QueuePair> responders = new ArrayList<>();
  private final ChunkList chunks;
  private final CompletionBatch batch;
  private long postNanos;

  @SuppressWarnings("MustBeClosedChecker") // closed in close(), after the regions
  VerbsProbe(FabricPlan plan, Rail rail) {
    this.plan = plan;
    arena = Arena.ofShared();
    chunks = new ChunkList(arena);
    batch = new CompletionBatch(arena, 16);
    device = Rdma.open(rail.device());
    domain = device.allocateProtectionDomain();
    queue = device.createCompletionQueue(plan.connections() * (plan.chunksInFlight() + 4));
    local =
        register(
            plan.connections() * plan.chunkBytes() * plan.chunksInFlight(),
            Set.of(Access.LOCAL_WRITE));
    remote =
        register(bytes(), EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ));
    for (int i = 0; i < plan.connections(); i++) {
      connect(rail);
    }
  }

  private void connect(Rail rail) {
    QueuePair initiator = domain.createQueuePair(queue, plan.chunksInFlight());
    QueuePair responder = domain.createQueuePair(queue, 1);
    initiators.add(initiator);
    responders.add(responder);
    connect(rail, initiator, responder.number(), Set.of());
    connect(
        rail, responder, initiator.number(), EnumSet.of(Access.REMOTE_WRITE, Access.REMOTE_READ));
  }

  private MemoryRegion register(long bytes, Set<Access> access) {
    MemorySegment memory = arena.allocate(bytes, 4096);
    return domain.register(memory.fill((byte) 1), access);
  }

  private static void connect(Rail rail, QueuePair pair, int peer, Set<Access> rights) {
    pair.toInit(rail.port(), rights);
    pair.toReadyToReceive(
        new ReadyToReceive(
            rail.gid(), peer, PSN, rail.port(), rail.gidIndex(), rail.mtuBytes(), READS, 0, 0));
    pair.toReadyToSend(new ReadyToSend(PSN, READS, TIMEOUT, RETRIES));
  }

  /** Mean MiB/s from the first post to the last completion, all queue pairs at once. */
  double run(Verb verb) {
    long[] posted = new long[plan.connections()];
    long[] done = new long[plan.connections()];
    long left = plan.connections() * plan.chunksEach();
    long start = System.nanoTime();
    for (int pair = 0; pair < posted.length; pair++) {
      refill(verb, pair, posted, done);
    }
    while (left > 0) {
      int count = reap();
      for (int i = 0; i < count; i++) {
        int pair = (int) batch.id(i);
        done[pair]++;
        refill(verb, pair, posted, done);
      }
      left -= count;
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    return bytes() / 1048576.0 / seconds;
  }

  private void refill(Verb verb, int pair, long[] posted, long[] done) {
    while (posted[pair] < plan.chunksEach() && posted[pair] - done[pair] < plan.chunksInFlight()) {
      post(verb, pair, posted[pair]++);
    }
  }

  private void post(Verb verb, int pair, long chunk) {
    long slot = (long) pair * plan.chunksInFlight() + chunk % plan.chunksInFlight();
    chunks.clear();
    chunks.add(
        pair,
        local.address() + slot * plan.chunkBytes(),
        local.localKey(),
        remote.address() + (pair * plan.chunksEach() + chunk) * plan.chunkBytes(),
        remote.remoteKey().value(),
        plan.chunkBytes(),
        true);
    long before = THREADS.getCurrentThreadCpuTime();
    if (verb == Verb.WRITE) {
      initiators.get(pair).postWrites(chunks);
    } else {
      initiators.get(pair).postReads(chunks);
    }
    postNanos += THREADS.getCurrentThreadCpuTime() - before;
  }

  /**
   * CPU seconds that this thread spent inside the calls that post, since the probe was opened. A
   * NIC makes that nothing; Soft-RoCE sends the first packets of a work request there, so it copies
   * at the expense of whoever posts.
   */
  double postSeconds() {
    return postNanos / 1e9;
  }

  /** What one run moves. */
  long bytes() {
    return plan.connections() * plan.chunksEach() * plan.chunkBytes();
  }

  private int reap() {
    int count = queue.poll(batch);
    if (count == 0) {
      queue.arm();
      count = queue.poll(batch);
    }
    if (count == 0) {
      if (!queue.await(WAIT_MILLIS)) {
        throw new IllegalStateException("no completion for " + WAIT_MILLIS + " ms");
      }
      return 0;
    }
    for (int i = 0; i < count; i++) {
      if (batch.status(i) != CompletionStatus.SUCCESS) {
        throw new IllegalStateException("a work request ended with " + batch.status(i));
      }
    }
    return count;
  }

  @Override
  public void close() {
    initiators.forEach(QueuePair::toError);
    responders.forEach(QueuePair::toError);
    initiators.forEach(QueuePair::close);
    responders.forEach(QueuePair::close);
    remote.close();
    local.close();
    queue.close();
    domain.close();
    device.close();
    arena.close();
  }
}
