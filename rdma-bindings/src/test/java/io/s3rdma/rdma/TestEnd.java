package io.s3rdma.rdma;

import io.s3rdma.rdma.wire.EndpointToken;
import io.s3rdma.rdma.wire.Gid;
import io.s3rdma.rdma.wire.Psn;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * One end of a connection made by hand on the lane's rail, for the tests of every module. Used by
 * one thread; closing it closes what it registered.
 */
public final class TestEnd implements AutoCloseable {
  /** READs that an end answers at once, and keeps open itself. */
  public static final int READS = 4;

  private static final int SEND_DEPTH = 16;
  private static final Set<Access> ALL_RIGHTS = Set.of(Access.REMOTE_WRITE, Access.REMOTE_READ);

  private final Arena arena = Arena.ofShared();
  private final java.util.ArrayDeque<AutoCloseable> owned = new java.util.ArrayDeque<>();
  private final RailFinder.FoundRail rail;
  private final RdmaDevice device;
  private final ProtectionDomain domain;
  private final CompletionQueue queue;
  private final QueuePair pair;
  private final Psn psn = Psn.random();
  private final CompletionBatch batch;
  private final ChunkList chunks;

  /** A completion as it was reaped. */
  public record Done(
      long id, CompletionStatus status, int queuePairNumber, int vendorError, long bytes) {}

  /** In state INIT, with both remote rights. */
  public TestEnd() {
    this(Optional.empty());
  }

  /** The same on one device. */
  @SuppressWarnings("MustBeClosedChecker") // closed in close()
  public TestEnd(Optional<String> onDevice) {
    this.rail =
        RailFinder.find(onDevice, 1, Optional.empty())
            .rail()
            .orElseThrow(() -> new AssertionError("the lane has no rail"));
    this.device = own(Rdma.open(rail.device()));
    this.domain = own(device.allocateProtectionDomain());
    this.queue = own(device.createCompletionQueue(2 * SEND_DEPTH));
    this.pair = own(domain.createQueuePair(queue, SEND_DEPTH));
    this.batch = new CompletionBatch(arena, SEND_DEPTH);
    this.chunks = new ChunkList(arena);
    pair.toInit(rail.port(), ALL_RIGHTS);
  }

  private <T extends AutoCloseable> T own(T resource) {
    owned.push(resource);
    return resource;
  }

  public Gid gid() {
    return rail.gid().gid();
  }

  public Psn psn() {
    return psn;
  }

  public int mtuBytes() {
    return rail.attributes().activeMtuBytes();
  }

  public QueuePair pair() {
    return pair;
  }

  public CompletionQueue queue() {
    return queue;
  }

  public ProtectionDomain domain() {
    return domain;
  }

  /** What the other end must know of this one. */
  public EndpointToken endpoint() {
    return EndpointToken.forConnect(pair.number(), gid(), rail.port(), rail.attributes().lid());
  }

  /** INIT to RTS. */
  public void connect(EndpointToken peer, Psn peerPsn, int mtuBytes) {
    pair.toReadyToReceive(
        new ReadyToReceive(
            peer.gid(),
            peer.qpNumber(),
            peerPsn.value(),
            rail.port(),
            rail.gid().index(),
            mtuBytes,
            READS,
            0,
            peer.lid()));
    // Short, so that tests of a silent peer end soon: 3 tries of 4 ms.
    pair.toReadyToSend(new ReadyToSend(psn.value(), READS, 10, 2));
  }

  /** Connects two ends with each other. */
  public static void connect(TestEnd a, TestEnd b) {
    a.connect(b.endpoint(), b.psn(), a.mtuBytes());
    b.connect(a.endpoint(), a.psn(), a.mtuBytes());
  }

  /** Page-aligned memory that lives as long as this end. */
  public MemorySegment memory(long bytes) {
    return arena.allocate(bytes, 4096);
  }

  /** Registers memory without any remote right, for windows. */
  public MemoryRegion register(MemorySegment memory) {
    return own(domain.register(memory, Set.of(Access.LOCAL_WRITE, Access.WINDOW_BIND)));
  }

  public MemoryWindow window() {
    return own(domain.allocateWindow());
  }

  /** Binds and waits; the key is usable when this returns. */
  public RemoteKey bind(
      MemoryWindow window, MemoryRegion region, long address, long bytes, TransferRight right) {
    RemoteKey key = pair.bind(window, region, address, bytes, right, 1);
    requireSuccess(await());
    return key;
  }

  public void invalidate(RemoteKey key) {
    pair.invalidate(key, 2);
    requireSuccess(await());
  }

  private static void requireSuccess(Done done) {
    if (done.status() != CompletionStatus.SUCCESS) {
      throw new AssertionError("unexpected " + done);
    }
  }

  /** Posts one signalled WRITE of the local bytes. */
  public void postWrite(
      long id, MemoryRegion local, MemorySegment bytes, long remote, RemoteKey key) {
    fill(id, local, bytes, remote, key);
    pair.postWrites(chunks);
  }

  /** Posts one signalled READ into the local bytes. */
  public void postRead(
      long id, MemoryRegion local, MemorySegment bytes, long remote, RemoteKey key) {
    fill(id, local, bytes, remote, key);
    pair.postReads(chunks);
  }

  private void fill(long id, MemoryRegion local, MemorySegment bytes, long remote, RemoteKey key) {
    chunks.clear();
    chunks.add(id, bytes.address(), local.localKey(), remote, key.value(), bytes.byteSize(), true);
  }

  /** The next completion; fails loudly if none comes. */
  public Done await() {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (System.nanoTime() < until) {
      if (queue.poll(batch) == 0) {
        queue.arm();
        if (queue.poll(batch) == 0) {
          queue.await(1000);
          continue;
        }
      }
      if (batch.count() != 1) {
        throw new AssertionError(batch.count() + " completions where one was open");
      }
      return new Done(
          batch.id(0),
          batch.status(0),
          batch.queuePairNumber(0),
          batch.vendorError(0),
          batch.bytes(0));
    }
    throw new AssertionError("no completion came on " + pair);
  }

  @Override
  public void close() {
    // Windows first: one that is still bound holds its region, and on Soft-RoCE its queue pair,
    // whose destruction then takes 50 seconds.
    owned.stream().filter(MemoryWindow.class::isInstance).toList().forEach(this::closeFirst);
    closeFirst(pair);
    while (!owned.isEmpty()) {
      closeFirst(owned.peek());
    }
    arena.close();
  }

  private void closeFirst(AutoCloseable resource) {
    owned.remove(resource);
    try {
      resource.close();
    } catch (Exception e) {
      throw new AssertionError("closing " + resource, e);
    }
  }
}
