package io.s3rdma.server.transfer;

import io.s3rdma.rdma.ChunkList;
import io.s3rdma.rdma.PortName;
import io.s3rdma.rdma.wire.ConnectionId;
import io.s3rdma.rdma.wire.DeclineReason;
import io.s3rdma.rdma.wire.Gid;
import io.s3rdma.rdma.wire.RemoteDescriptor;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * The data path: the rails, connections over them, and moving one request's bytes at a time over
 * one of them.
 *
 * <p>Threads: {@link #write} and {@link #read} run on the caller's thread, which posts and waits;
 * the rail's completion thread hands completions over. Guarantees: when a call returns or throws,
 * every work request it posted has completed, or its slots and its queue pair are out of use for
 * good. Close order: connections, then the rails.
 */
public final class Transfers implements AutoCloseable {
  private final TransferConfig config;
  private final Rails rails;
  private final ConnectionTable connections;
  private final PeerBudgets budgets;
  private final ScheduledExecutorService reaper;
  private final LongAdder drainFailures = new LongAdder();
  private volatile boolean draining;
  private final AtomicBoolean closed = new AtomicBoolean();

  private Transfers(TransferConfig config, Rails rails) {
    this.config = config;
    this.rails = rails;
    this.connections = new ConnectionTable(rails, config);
    this.budgets = new PeerBudgets(config.peerLimits(), System::nanoTime);
    rails.watch(connections);
    this.reaper =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("s3rdma-idle").factory());
    long periodMillis = Math.clamp(config.connectionIdleSeconds() * 1000L / 10, 100, 2_000);
    var _ =
        reaper.scheduleWithFixedDelay(
            this::tidy, periodMillis, periodMillis, TimeUnit.MILLISECONDS);
  }

  private void tidy() {
    connections.expireIdle();
    budgets.forgetCalm();
  }

  /**
   * Opens the rails and registers their staging memory.
   *
   * @throws TransferException with NO_RAIL and every cause if no device can be used
   */
  public static Transfers open(TransferConfig config) {
    return new Transfers(config, Rails.open(config));
  }

  /** Why no transfer is possible now, or empty. */
  public Optional<DeclineReason> unusable() {
    if (draining) {
      return Optional.of(DeclineReason.DRAINING);
    }
    return rails.unusable();
  }

  /** Every rail, in the order of the configuration or of libibverbs. */
  public List<RailStatus> rails() {
    return rails.status();
  }

  /** The ports of {@link #rails}. */
  public List<PortName> ports() {
    return rails.ports();
  }

  /** Bytes of one work request; a transfer's last one may be shorter. */
  public int chunkBytes() {
    return config.chunkBytes();
  }

  /** P-2.1. */
  public ConnectAnswer connect(ConnectRequest request) {
    return connections.connect(request);
  }

  /** P-2.3. */
  public void disconnect(ConnectionId id, String owner) {
    connections.disconnect(id, owner);
  }

  /**
   * P-2.10: WRITEs random octets into the region that came with the endpoint. Who can read that
   * memory owns the endpoint, and tells them by {@link #confirm}.
   */
  public void challenge(ConnectionId id, String owner, Deadline deadline, CancelHook cancel) {
    byte[] nonce = PeerProof.newNonce();
    try (Lease lease = new Lease(connections.leaseUnproven(id, owner))) {
      PeerProof proof = lease.connection.proof();
      ByteSource source = (at, target) -> target.put(nonce, (int) at, target.remaining());
      write(lease, proof.region(), source, nonce.length, deadline, cancel);
      proof.written(nonce);
    }
  }

  /** P-2.11: from here on the connection carries objects; a wrong answer ends it. */
  public void confirm(ConnectionId id, String owner, byte[] nonce) {
    Optional<PeerBudgets.Peer> peer = connections.peerOf(id, owner);
    try {
      connections.confirm(id, owner, nonce);
    } catch (TransferException e) {
      if (e.failure() == TransferException.Failure.NOT_PROVEN) {
        peer.ifPresent(p -> budgets.charge(p, PeerBudgets.REFUSAL));
      }
      throw e;
    }
  }

  /** P-2.12: whether this peer caused so many faults that it is served by HTTP for a while. */
  public boolean isCoolingDown(String owner, Gid gid) {
    return budgets.isCoolingDown(new PeerBudgets.Peer(owner, gid));
  }

  /** As the other, of the peer of an open connection. */
  public boolean isCoolingDown(ConnectionId id, String owner) {
    return connections.peerOf(id, owner).filter(budgets::isCoolingDown).isPresent();
  }

  /** How often a peer used up its budget of faults. */
  public long coolDowns() {
    return budgets.coolDowns();
  }

  /** A connection leased for one transfer. The holder closes it, whatever happened. */
  public final class Lease implements AutoCloseable {
    private final Connection connection;

    private Lease(Connection connection) {
      this.connection = connection;
    }

    public Connection connection() {
      return connection;
    }

    /** Ends the connection after this lease: a check of what it did failed. */
    public void fail() {
      connection.fail();
    }

    @Override
    public void close() {
      connections.release(connection);
    }
  }

  /** Takes a connection for one transfer; P-2.4, P-2.5. */
  public Lease lease(ConnectionId id, String owner) {
    return new Lease(connections.lease(id, owner));
  }

  /** What a finished transfer did. */
  public record Moved(long bytes, long chunks, int chunkBytes) {}

  /**
   * GET: WRITEs {@code bytes} of the source to the client's window from its first byte on (P-4.2).
   */
  public Moved write(
      Lease lease,
      RemoteDescriptor window,
      ByteSource source,
      long bytes,
      Deadline deadline,
      CancelHook cancel) {
    return run(
        lease,
        window,
        bytes,
        deadline,
        cancel,
        new WriteSide(source, lease.connection.rail().hotFor(source)));
  }

  /** PUT: READs exactly {@code bytes} of the client's memory into the sink, in order (P-4.3). */
  public Moved read(
      Lease lease,
      RemoteDescriptor window,
      ByteSink sink,
      long bytes,
      Deadline deadline,
      CancelHook cancel) {
    return run(lease, window, bytes, deadline, cancel, new ReadSide(sink));
  }

  /** Registers what is to run when nobody waits for the answer any more (P-4.8). */
  @FunctionalInterface
  public interface CancelHook {
    AutoCloseable onCancel(Runnable action);
  }

  private Moved run(
      Lease lease,
      RemoteDescriptor window,
      long bytes,
      Deadline deadline,
      CancelHook cancel,
      Side side) {
    Connection connection = lease.connection;
    TransferRun run =
        new TransferRun(
            connection,
            connection.rail().staging(),
            ChunkLists.ofThread(),
            window,
            bytes,
            deadline,
            side,
            config);
    RailCounts counts = rails.counts(connection.rail().portName());
    connection.posting();
    connection.running(run.inFlight());
    AutoCloseable registration = cancel.onCancel(run.inFlight()::cancel);
    try {
      run.move();
      counts.moved(side instanceof WriteSide, run.completedBytes());
      return new Moved(run.completedBytes(), run.chunks(), config.chunkBytes());
    } catch (TransferException e) {
      if (run.started()) {
        counts.failed();
        stop(connection, run);
      }
      charge(connection, e);
      throw e;
    } catch (RuntimeException | Error e) { // a mapped file's fault is an Error
      stop(connection, run);
      throw e;
    } finally {
      run.giveBack();
      closeQuietly(registration);
    }
  }

  /** What the peer's host caused; what this one did, or nobody, is not the peer's fault. */
  private void charge(Connection connection, TransferException e) {
    boolean byCompletion = e.getCause() == null;
    if (e.failure() == TransferException.Failure.CLIENT_MEMORY) {
      budgets.charge(connection.peer(), PeerBudgets.REFUSAL);
    } else if (e.failure() == TransferException.Failure.FABRIC
        && byCompletion
        && !connection.rail().isOut()) {
      budgets.charge(connection.peer(), PeerBudgets.TRANSPORT);
    }
  }

  /** P-4.8: QP to ERROR, drain every posted work request; only then may the caller answer. */
  private void stop(Connection connection, TransferRun run) {
    connection.fail();
    if (!run.drain(config.drainTimeoutMillis())) {
      drainFailures.increment();
      connection.notDrained();
    }
  }

  private static void closeQuietly(AutoCloseable registration) {
    try {
      registration.close();
    } catch (Exception e) {
      throw new IllegalStateException("a cancel hook could not be removed", e);
    }
  }

  /** One chunk list per worker thread, for its life. */
  private static final class ChunkLists {
    private static final ThreadLocal<ChunkList> LISTS =
        ThreadLocal.withInitial(() -> new ChunkList(java.lang.foreign.Arena.ofAuto()));

    static ChunkList ofThread() {
      return LISTS.get();
    }
  }

  /**
   * The direction of a transfer: what to do before a post, how to post, what to do with a completed
   * slot.
   */
  sealed interface Side permits WriteSide, ReadSide {
    /** Of the bytes left from the offset on, how many the next post moves; one at least. */
    int beforePost(StagingSlot slot, long offset, long left) throws java.io.IOException;

    void post(Connection connection, ChunkList chunks);

    void afterCompletion(StagingSlot slot) throws java.io.IOException;

    /** Whether there is nothing to do after a completion but to give the slot back. */
    boolean canWait();
  }

  /**
   * @param hot where the source's bytes are kept, or null
   */
  private record WriteSide(ByteSource source, HotMemory hot) implements Side {
    @Override
    public int beforePost(StagingSlot slot, long offset, long left) throws java.io.IOException {
      int length = slot.chunkOf(left);
      SourceName name = hot == null ? null : source.name().orElseThrow();
      HotChunk chunk = hot == null ? null : hot.take(name, source, offset, length);
      if (chunk == null) {
        source.readFully(offset, slot.buffer(length));
        return length;
      }
      slot.sendInstead(chunk);
      return length + more(slot, name, offset + length, left - length);
    }

    /** Chunks that are here already go along: only the first may have to wait for the store. */
    private int more(StagingSlot slot, SourceName name, long offset, long left) {
      int added = 0;
      while (added < left && slot.hasRoom()) {
        HotChunk chunk = hot.find(name, offset + added);
        if (chunk == null) {
          break;
        }
        slot.sendInstead(chunk);
        added += slot.chunkOf(left - added);
      }
      return added;
    }

    @Override
    public void post(Connection connection, ChunkList chunks) {
      connection.queuePair().postWrites(chunks);
    }

    @Override
    public void afterCompletion(StagingSlot slot) {}

    @Override
    public boolean canWait() {
      return true;
    }
  }

  private record ReadSide(ByteSink sink) implements Side {
    @Override
    public int beforePost(StagingSlot slot, long offset, long left) {
      return slot.chunkOf(left);
    }

    @Override
    public void post(Connection connection, ChunkList chunks) {
      connection.queuePair().postReads(chunks);
    }

    @Override
    public void afterCompletion(StagingSlot slot) throws java.io.IOException {
      sink.write(slot.buffer(slot.lengthBytes()));
    }

    @Override
    public boolean canWait() {
      return false;
    }
  }

  /**
   * Staging slots now leased, and all of them; chunks kept and found again; drains that did not
   * end; stray completions.
   */
  public record Usage(
      int connections,
      int slotsInUse,
      int slots,
      int slotsLost,
      long hotHits,
      long hotFills,
      long drainFailures,
      long strays) {}

  public Usage usage() {
    List<RailStatus> all = rails.status();
    return new Usage(
        connections.size(),
        all.stream().mapToInt(RailStatus::slotsInUse).sum(),
        all.stream().mapToInt(RailStatus::slots).sum(),
        all.stream().mapToInt(RailStatus::slotsLost).sum(),
        all.stream().mapToLong(RailStatus::hotHits).sum(),
        all.stream().mapToLong(RailStatus::hotFills).sum(),
        drainFailures.sum(),
        all.stream().mapToLong(RailStatus::strays).sum());
  }

  /** Transfers that wait for staging memory now. */
  public int waiting() {
    return rails.waiting();
  }

  /** From now on new requests are declined; running ones go on. */
  public void startDraining() {
    draining = true;
  }

  /** Idempotent. */
  @Override
  public void close() {
    draining = true;
    if (closed.getAndSet(true)) {
      return;
    }
    reaper.shutdownNow();
    connections.closeAll(config.drainTimeoutMillis());
    rails.close();
  }
}
