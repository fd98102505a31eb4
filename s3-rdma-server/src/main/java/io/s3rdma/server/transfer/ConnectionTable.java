package io.s3rdma.server.transfer;

import io.s3rdma.rdma.GidEntry;
import io.s3rdma.rdma.PortAttributes;
import io.s3rdma.rdma.QueuePair;
import io.s3rdma.rdma.RdmaException;
import io.s3rdma.rdma.ReadyToReceive;
import io.s3rdma.rdma.ReadyToSend;
import io.s3rdma.rdma.wire.ConnectionId;
import io.s3rdma.rdma.wire.EndpointToken;
import io.s3rdma.rdma.wire.Psn;
import io.s3rdma.server.transfer.TransferException.Failure;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open connections over all rails.
 *
 * <p>Threads: any. Invariants: a connection in the table is counted for its owner; it leaves the
 * table before its queue pair is destroyed; whoever removes it from the map does both. Limits are
 * checked before any native call, and a handshake that fails half way destroys its queue pair.
 * Close order: fail all, wait for running transfers to leave, destroy.
 */
final class ConnectionTable implements Rail.Connections {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionTable.class);
  private static final int READS_MAX = 16;
  private static final int PROOF_SECONDS_MAX = 10;

  private final Rails rails;
  private final TransferConfig config;
  private final Map<ConnectionId, Connection> connections = new ConcurrentHashMap<>();
  private final KeyLimits keys;
  private final AtomicInteger total = new AtomicInteger();
  private final RateLimit connects;
  private volatile boolean draining;

  ConnectionTable(Rails rails, TransferConfig config) {
    this.rails = rails;
    this.config = config;
    this.keys = new KeyLimits(config.connectionsPerKeyMax(), config.peerLimits());
    this.connects = new RateLimit(config.connectsPerSecondMax());
  }

  int size() {
    return total.get();
  }

  /** P-2.1, P-2.2: creates, connects and enters a connection. */
  ConnectAnswer connect(ConnectRequest request) {
    admit(request.owner());
    boolean entered = false;
    try {
      ConnectAnswer answer = handshake(request);
      entered = true;
      return answer;
    } catch (RdmaException e) {
      throw new TransferException(Failure.FABRIC, e.getMessage(), e);
    } finally {
      if (!entered) {
        leave(request.owner());
      }
    }
  }

  // P-2.6
  private void admit(String owner) {
    keys.requireConnectRate(owner);
    if (!connects.tryAcquire()) {
      throw new TransferException(
          Failure.LIMIT, "more than " + config.connectsPerSecondMax() + " connects in a second");
    }
    if (total.incrementAndGet() > config.connectionsMax()) {
      total.decrementAndGet();
      throw new TransferException(
          Failure.LIMIT, "all " + config.connectionsMax() + " connections are in use");
    }
    try {
      keys.enterConnection(owner);
    } catch (TransferException e) {
      total.decrementAndGet();
      throw e;
    }
    // After it is counted: closeAll() waits for those, and no other may begin.
    if (draining) {
      leave(owner);
      throw new TransferException(Failure.LIMIT, "the server is shutting down");
    }
  }

  private void leave(String owner) {
    keys.leaveConnection(owner);
    total.decrementAndGet();
  }

  private ConnectAnswer handshake(ConnectRequest request) {
    OpenRail rail = rails.choose(request.gid(), request.local());
    GidEntry own =
        rail.gid()
            .orElseThrow(() -> new TransferException(Failure.RAIL_OUT, rail + " lost its GID"));
    if (own.gid().isIpv4Mapped() != request.gid().isIpv4Mapped()) {
      throw new TransferException(
          Failure.BAD_ENDPOINT, "the endpoint's GID is of another address family than " + rail);
    }
    PortAttributes port = rail.portAttributes();
    int mtu = Math.min(request.mtuBytes().orElse(port.activeMtuBytes()), port.activeMtuBytes());
    // P-2.2: a peer that says nothing accepts one outstanding READ.
    int reads =
        Math.min(
            Math.min(READS_MAX, rail.attributes().maxOutgoingReads()),
            request.incomingReads().orElse(1));
    Psn psn = Psn.random();
    QueuePair pair = rail.domain().createQueuePair(rail.queue(), rail.sendDepth());
    try {
      pair.toInit(rail.port(), Set.of()); // P-2.9: the server only ever initiates
      pair.toReadyToReceive(
          new ReadyToReceive(
              request.gid(),
              request.queuePairNumber(),
              request.sendPsn().value(),
              rail.port(),
              own.index(),
              mtu,
              1,
              0,
              request.lid()));
      pair.toReadyToSend(
          new ReadyToSend(
              psn.value(), reads, config.transportTimeout(), config.transportRetries()));
    } catch (RdmaException e) {
      pair.close();
      throw new TransferException(Failure.BAD_ENDPOINT, e.getMessage(), e);
    }
    Connection connection =
        new Connection(
            ConnectionId.random(),
            new PeerBudgets.Peer(request.owner(), request.gid()),
            new PeerProof(request.proofRegion()),
            rail,
            pair,
            mtu,
            reads);
    enter(connection);
    EndpointToken endpoint =
        EndpointToken.forConnect(pair.number(), own.gid(), rail.port(), port.lid());
    return new ConnectAnswer(connection.id(), endpoint, psn, mtu, reads);
  }

  private void enter(Connection connection) {
    OpenRail rail = connection.rail();
    rail.connections().incrementAndGet();
    connections.put(connection.id(), connection);
    if (rail.isOut()) { // since it was chosen; endAll() may not have seen this one
      end(connection);
      throw new TransferException(Failure.RAIL_OUT, rail + " went out");
    }
  }

  /** The owner's connection; a foreign one is as if it did not exist (P-2.4). */
  private Connection find(ConnectionId id, String owner) {
    Connection connection = connections.get(id);
    if (connection == null || !connection.owner().equals(owner)) {
      throw noSuch(id);
    }
    return connection;
  }

  /** Whose connection it is; empty if it is not the owner's. */
  Optional<PeerBudgets.Peer> peerOf(ConnectionId id, String owner) {
    return Optional.ofNullable(connections.get(id))
        .map(Connection::peer)
        .filter(peer -> peer.owner().equals(owner));
  }

  /** Takes a connection for one transfer. P-2.4, P-2.5, P-2.10. */
  Connection lease(ConnectionId id, String owner) {
    Connection connection = find(id, owner);
    if (!connection.proof().isGiven()) {
      throw new TransferException(
          Failure.NOT_PROVEN, connection + " carries no object before its peer's proof");
    }
    return lease(connection);
  }

  /** Takes a connection whose peer has still to prove that it owns the endpoint (P-2.10). */
  Connection leaseUnproven(ConnectionId id, String owner) {
    Connection connection = find(id, owner);
    if (connection.proof().isGiven()) {
      throw new TransferException(Failure.NOT_PROVEN, connection + " has nothing to prove");
    }
    return lease(connection);
  }

  private Connection lease(Connection connection) {
    keys.enterTransfer(connection.owner());
    boolean taken = connection.tryBusy();
    if (taken) {
      return connection;
    }
    keys.leaveTransfer(connection.owner());
    if (connection.state() == Connection.State.BUSY) {
      throw new TransferException(
          Failure.CONNECTION_BUSY, connection + " already carries a transfer");
    }
    throw noSuch(connection.id());
  }

  private static TransferException noSuch(ConnectionId id) {
    return new TransferException(
        Failure.NO_SUCH_CONNECTION,
        "connection " + id + " is unknown, expired or failed; connect again");
  }

  /** Ends a lease: a healthy connection becomes idle, a failed one is destroyed. */
  void release(Connection connection) {
    connection.running(null);
    keys.leaveTransfer(connection.owner());
    connection.idle();
    if (connection.state() == Connection.State.FAILED) {
      remove(connection);
    }
  }

  /** P-2.11: a wrong answer ends the connection. */
  void confirm(ConnectionId id, String owner, byte[] nonce) {
    Connection connection = find(id, owner);
    switch (connection.proof().accept(nonce)) {
      case RIGHT -> connection.touch();
      case UNASKED ->
          throw new TransferException(Failure.NOT_PROVEN, connection + " was asked for no proof");
      case WRONG -> {
        end(connection);
        throw new TransferException(Failure.NOT_PROVEN, connection + ": that is not the nonce");
      }
    }
  }

  /** P-2.3: idempotent; a foreign or unknown id is no different from a closed one. */
  void disconnect(ConnectionId id, String owner) {
    Connection connection = connections.get(id);
    if (connection != null && connection.owner().equals(owner)) {
      end(connection);
    }
  }

  private void end(Connection connection) {
    if (connection.fail() == Connection.State.IDLE) {
      remove(connection);
    } else {
      connection.cancelTransfer(); // the worker drains, then release() removes it
    }
  }

  private void remove(Connection connection) {
    if (!connections.remove(connection.id(), connection)) {
      return;
    }
    leave(connection.owner());
    if (!connection.isDrained()) {
      LOG.error(
          "{} did not drain: its queue pair is kept so that its memory is not reused", connection);
      return;
    }
    try {
      connection.close();
      connection.rail().connections().decrementAndGet();
    } catch (RdmaException e) {
      // The device keeps it; the table has forgotten it, so nobody can use it again.
      LOG.error("{} could not be destroyed: {}", connection, e.getMessage());
    }
  }

  /** The rail is out: transfers end with the flushed work requests, idle connections here. */
  @Override
  public void endAll(OpenRail rail) {
    connections.values().stream().filter(c -> c.rail() == rail).forEach(this::fail);
  }

  @Override
  public void end(OpenRail rail, int queuePairNumber) {
    connections.values().stream()
        .filter(c -> c.rail() == rail && c.queuePair().number() == queuePairNumber)
        .forEach(this::fail);
  }

  private void fail(Connection connection) {
    if (connection.fail() == Connection.State.IDLE) {
      remove(connection);
    }
  }

  /** P-2.6: called now and then. */
  void expireIdle() {
    long limit = TimeUnit.SECONDS.toNanos(config.connectionIdleSeconds());
    long proofLimit = Math.min(limit, TimeUnit.SECONDS.toNanos(PROOF_SECONDS_MAX));
    long now = System.nanoTime();
    for (Connection connection : connections.values()) {
      boolean old =
          connection.idleNanos(now) > limit || connection.isUnprovenLongerThan(proofLimit, now);
      if (old && connection.failIfIdle()) {
        LOG.debug("{} was idle, or without proof, too long", connection);
        remove(connection);
      }
    }
  }

  /** Ends every connection and waits for running transfers, at most the given time. */
  void closeAll(long timeoutMillis) {
    draining = true;
    connections.values().forEach(this::end);
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    while (total.get() > 0 && System.nanoTime() < until) {
      try {
        Thread.sleep(5);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
      connections.values().forEach(this::end); // one may have been in its handshake
    }
  }
}
