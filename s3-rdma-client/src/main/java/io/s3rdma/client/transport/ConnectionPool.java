package io.s3rdma.client.transport;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Connections to one server over one rail, and whether that rail works.
 *
 * <p>Threads: any; the idle list is guarded by this object's lock, opening happens outside it.
 * Invariants: a permit, which all rails of a client share, is held for every connection in use; a
 * connection is idle here or owned by one transfer. Close order: wait for nothing; idle ones are
 * closed now, borrowed ones when they come back.
 */
final class ConnectionPool implements AutoCloseable {
  private static final long WAIT_SECONDS = 30;

  private final Connector connector;
  private final int idleSeconds;
  private final int max;
  private final Semaphore permits;
  private final Deque<RcConnection> idle = new ArrayDeque<>();
  private final AtomicInteger inUse = new AtomicInteger();
  private final RailHealth health = new RailHealth();
  private long freshSinceNanos = System.nanoTime();
  private boolean closed;

  ConnectionPool(Connector connector, Semaphore permits, int max, int idleSeconds) {
    this.connector = connector;
    this.max = max;
    this.idleSeconds = idleSeconds;
    this.permits = permits;
  }

  /** The most recently used idle connection, or a new one. */
  RcConnection acquire(boolean fresh) {
    takePermit();
    boolean kept = false;
    try {
      RcConnection connection = fresh ? null : pollIdle();
      if (connection == null) {
        connection = connect();
      }
      kept = true;
      inUse.incrementAndGet();
      return connection;
    } finally {
      if (!kept) {
        permits.release();
      }
    }
  }

  private RcConnection connect() {
    try {
      RcConnection connection = connector.connect();
      health.worked();
      return connection;
    } catch (TransportException e) {
      health.failed();
      throw e;
    }
  }

  /** Whether connections over this rail failed lately. */
  RailHealth health() {
    return health;
  }

  int inUse() {
    return inUse.get();
  }

  /** What is idle now may be as dead as the one that failed: no request is spent on finding out. */
  synchronized void distrustIdle() {
    freshSinceNanos = System.nanoTime();
  }

  private void takePermit() {
    try {
      if (!permits.tryAcquire(WAIT_SECONDS, TimeUnit.SECONDS)) {
        throw new TransportException(
            "all "
                + max
                + " connections were busy for "
                + WAIT_SECONDS
                + " s; raise connectionsMax");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TransportException("interrupted while waiting for a connection", e);
    }
  }

  private synchronized RcConnection pollIdle() {
    if (closed) {
      throw new TransportException("the client is closed");
    }
    while (!idle.isEmpty()) {
      RcConnection connection = idle.pop();
      if (!connection.isIdleLongerThan(idleSeconds) && connection.wasUsedSince(freshSinceNanos)) {
        return connection;
      }
      connection.fenceAndClose();
    }
    return null;
  }

  /** Gives back a healthy connection without a bound window. */
  void release(RcConnection connection) {
    connection.used();
    boolean keep;
    synchronized (this) {
      // A fresh one may have been opened beside idle ones: never keep more than the permits allow.
      keep = !closed && idle.size() < max;
      if (keep) {
        idle.push(connection);
      }
    }
    if (!keep) {
      connection.fenceAndClose();
      connector.disconnect(connection.id());
    }
    inUse.decrementAndGet();
    permits.release();
  }

  /** Ends a connection whose state is in doubt. True if its memory is safe afterwards (P-4.9). */
  boolean discard(RcConnection connection) {
    boolean fenced = connection.fenceAndClose();
    inUse.decrementAndGet();
    permits.release();
    return fenced;
  }

  /** Tells the server too, without waiting: it may be the one that does not answer. */
  void forget(RcConnection connection) {
    Thread.startVirtualThread(() -> connector.disconnect(connection.id()));
  }

  @Override
  public void close() {
    Deque<RcConnection> mine;
    synchronized (this) {
      closed = true;
      mine = new ArrayDeque<>(idle);
      idle.clear();
    }
    for (RcConnection connection : mine) {
      connection.fenceAndClose();
      connector.disconnect(connection.id());
    }
  }
}
