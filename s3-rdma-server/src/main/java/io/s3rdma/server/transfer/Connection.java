package io.s3rdma.server.transfer;

import io.s3rdma.rdma.QueuePair;
import io.s3rdma.rdma.RdmaException;
import io.s3rdma.rdma.wire.ConnectionId;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A connected queue pair that one access key may use for one transfer at a time (P-2.4, P-2.5).
 *
 * <p>Threads: the state changes by compare-and-set only, so exactly one thread wins each step; the
 * winner of the step into BUSY posts, the winner of the step into CLOSED destroys. Invariants: the
 * queue pair is destroyed once, never while BUSY, and only after every posted work request was
 * drained. A failed connection is never used again.
 */
public final class Connection {
  /** IDLE to BUSY and back; any to FAILED; IDLE or FAILED to CLOSED. */
  enum State {
    IDLE,
    BUSY,
    FAILED,
    CLOSED
  }

  private static final int UNKNOWN_PSN = -1;

  private final ConnectionId id;
  private final PeerBudgets.Peer peer;
  private final PeerProof proof;
  private final long openedNanos = System.nanoTime();
  private final OpenRail rail;
  private final QueuePair queuePair;
  private final int mtuBytes;
  private final int outgoingReads;
  private final AtomicReference<State> state = new AtomicReference<>(State.IDLE);
  private volatile long lastUsedNanos = System.nanoTime();
  private volatile InFlight transfer;
  private volatile int psnLeft = UNKNOWN_PSN;
  private volatile boolean drained = true;

  Connection(
      ConnectionId id,
      PeerBudgets.Peer peer,
      PeerProof proof,
      OpenRail rail,
      QueuePair queuePair,
      int mtuBytes,
      int outgoingReads) {
    this.id = id;
    this.peer = peer;
    this.proof = proof;
    this.rail = rail;
    this.queuePair = queuePair;
    this.mtuBytes = mtuBytes;
    this.outgoingReads = outgoingReads;
  }

  /** The random id that names it on the wire. */
  public ConnectionId id() {
    return id;
  }

  /** The path MTU in bytes; evidence counts packets of this size. */
  public int mtuBytes() {
    return mtuBytes;
  }

  /** The 24-bit send PSN as the device has it now (P-5.1). */
  public int sendPsn() {
    return queuePair.sendPsn();
  }

  /**
   * The 24-bit send PSN before a transfer: what it was after the last one, since nothing is sent
   * between the two; so nothing can be, unseen. Only who has the connection leased may call it.
   */
  public int psnAtStart() {
    int known = psnLeft;
    psnLeft = UNKNOWN_PSN;
    return known == UNKNOWN_PSN ? sendPsn() : known;
  }

  /** The 24-bit send PSN after a transfer, as the device has it; kept for the next one. */
  public int psnAtEnd() {
    int now = sendPsn();
    psnLeft = now;
    return now;
  }

  /** Work requests are posted now that no evidence is asked of: what was kept is no more true. */
  void posting() {
    psnLeft = UNKNOWN_PSN;
  }

  /** The device whose port carries it. */
  public String device() {
    return rail.portName().device();
  }

  /** The port of {@link #device}, from 1. */
  public int port() {
    return rail.port();
  }

  OpenRail rail() {
    return rail;
  }

  String owner() {
    return peer.owner();
  }

  PeerBudgets.Peer peer() {
    return peer;
  }

  PeerProof proof() {
    return proof;
  }

  /** True if the peer had so long and still has not shown that the endpoint is its own. */
  boolean isUnprovenLongerThan(long nanos, long now) {
    return !proof.isGiven() && now - openedNanos > nanos;
  }

  int outgoingReads() {
    return outgoingReads;
  }

  QueuePair queuePair() {
    return queuePair;
  }

  State state() {
    return state.get();
  }

  boolean tryBusy() {
    return state.compareAndSet(State.IDLE, State.BUSY);
  }

  void idle() {
    lastUsedNanos = System.nanoTime();
    state.compareAndSet(State.BUSY, State.IDLE);
  }

  void touch() {
    lastUsedNanos = System.nanoTime();
  }

  long idleNanos(long now) {
    return now - lastUsedNanos;
  }

  void running(InFlight inFlight) {
    transfer = inFlight;
  }

  /** Wakes a running transfer so that it ends with a cancel. */
  void cancelTransfer() {
    InFlight running = transfer;
    if (running != null) {
      running.cancel();
    }
  }

  /**
   * Forbids further use and stops the NIC; the worker drains what it posted. Idempotent.
   *
   * @return the state before: with IDLE there is no worker, and the caller must remove it
   */
  State fail() {
    State before = state.getAndUpdate(s -> s == State.CLOSED ? s : State.FAILED);
    if (before == State.IDLE || before == State.BUSY) {
      stopNic();
    }
    return before;
  }

  /** As {@link #fail} if no transfer has it; then the caller must remove it. */
  boolean failIfIdle() {
    boolean failed = state.compareAndSet(State.IDLE, State.FAILED);
    if (failed) {
      stopNic();
    }
    return failed;
  }

  // Whoever ends a busy connection may still be in here when its worker destroys it.
  private synchronized void stopNic() {
    try {
      queuePair.toError();
    } catch (RdmaException e) {
      // A device that is gone cannot be told to stop; the drain decides whether its memory is safe.
      drained = false;
    }
  }

  /**
   * A drain did not end: work requests may still touch memory, so the queue pair must not be
   * forgotten.
   */
  void notDrained() {
    drained = false;
  }

  /** Destroys the queue pair once; refused while a transfer runs. */
  boolean close() {
    State before = state.getAndUpdate(s -> s == State.BUSY ? s : State.CLOSED);
    if (before == State.BUSY || before == State.CLOSED) {
      return false;
    }
    if (before == State.IDLE) {
      stopNic();
    }
    synchronized (this) {
      queuePair.close();
    }
    return true;
  }

  boolean isDrained() {
    return drained;
  }

  @Override
  public String toString() {
    return "connection " + id + " on " + queuePair;
  }
}
