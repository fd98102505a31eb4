package io.s3rdma.client.transport;

import io.s3rdma.rdma.BufferRegistration;
import io.s3rdma.rdma.CompletionBatch;
import io.s3rdma.rdma.CompletionQueue;
import io.s3rdma.rdma.CompletionStatus;
import io.s3rdma.rdma.MemoryWindow;
import io.s3rdma.rdma.QueuePair;
import io.s3rdma.rdma.RdmaException;
import io.s3rdma.rdma.RemoteKey;
import io.s3rdma.rdma.TransferRight;
import io.s3rdma.rdma.wire.ConnectionId;
import java.lang.foreign.Arena;
import java.util.concurrent.TimeUnit;

/**
 * The client's end of a connection: a queue pair that the server writes or reads through, and one
 * memory window.
 *
 * <p>Threads: one transfer at a time owns it, and only that thread calls it; the pool hands it
 * over. Invariants: at most one window is bound; the connection leaves the owner's hands either
 * idle with no window bound, or closed. Fence order on a lost answer: queue pair to ERROR (no
 * packet of the peer is accepted from then on), drain, then destroy.
 */
final class RcConnection {
  private static final int SEND_DEPTH = 8;
  private static final int SPINS = Runtime.getRuntime().availableProcessors() > 1 ? 200 : 4;

  private final ConnectionId id;
  private final QueuePair queuePair;
  private final CompletionQueue queue;
  private final MemoryWindow window;
  private final Arena arena;
  private final CompletionBatch batch;
  private long lastUsedNanos = System.nanoTime();
  private long nextRequestId = 1;
  private RemoteKey boundKey;
  private boolean closed;

  RcConnection(
      ConnectionId id,
      QueuePair queuePair,
      CompletionQueue queue,
      MemoryWindow window,
      Arena arena) {
    this.id = id;
    this.queuePair = queuePair;
    this.queue = queue;
    this.window = window;
    this.arena = arena;
    this.batch = new CompletionBatch(arena, SEND_DEPTH);
  }

  static int sendDepth() {
    return SEND_DEPTH;
  }

  ConnectionId id() {
    return id;
  }

  boolean isIdleLongerThan(int seconds) {
    return System.nanoTime() - lastUsedNanos > TimeUnit.SECONDS.toNanos(seconds);
  }

  /** Whether a transfer over it ended well after that time. */
  boolean wasUsedSince(long nanos) {
    return lastUsedNanos - nanos >= 0;
  }

  void used() {
    lastUsedNanos = System.nanoTime();
  }

  /** P-4.11: a key over exactly these bytes with exactly this right. */
  RemoteKey bind(
      BufferRegistration registration,
      long address,
      long lengthBytes,
      TransferRight right,
      long timeoutMillis) {
    long request = nextRequestId++;
    RemoteKey key =
        queuePair.bind(window, registration.region(), address, lengthBytes, right, request);
    CompletionStatus status = await(request, timeoutMillis);
    if (status != CompletionStatus.SUCCESS) {
      throw new TransportException(
          "binding a window of " + lengthBytes + " bytes ended with " + status);
    }
    boundKey = key;
    return key;
  }

  /**
   * Takes the key back. False if that could not be confirmed in time: the connection must be ended.
   */
  boolean invalidate(long timeoutMillis) {
    if (boundKey == null) {
      return true;
    }
    try {
      long request = nextRequestId++;
      queuePair.invalidate(boundKey, request);
      if (await(request, timeoutMillis) != CompletionStatus.SUCCESS) {
        return false;
      }
      boundKey = null;
      return true;
    } catch (RdmaException e) {
      return false;
    }
  }

  /** Null on time-out. Spins briefly, then arms, polls once more and sleeps. */
  private CompletionStatus await(long request, long timeoutMillis) {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    for (int i = 0; i < SPINS; i++) {
      CompletionStatus status = poll(request);
      if (status != null) {
        return status;
      }
      Thread.onSpinWait();
    }
    while (true) {
      queue.arm();
      // A completion between the last poll and the arming raises no event.
      CompletionStatus status = poll(request);
      long leftMillis = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
      if (status != null || leftMillis <= 0) {
        return status;
      }
      queue.await((int) leftMillis);
    }
  }

  /**
   * Null if it is not there yet. A completion of another id belongs to an earlier, abandoned
   * request.
   */
  private CompletionStatus poll(long request) {
    CompletionStatus found = null;
    int count = queue.poll(batch);
    for (int i = 0; i < count; i++) {
      if (batch.id(i) == request) {
        found = batch.status(i);
      }
    }
    return found;
  }

  /**
   * Fences and destroys: after this returns true no peer can touch the memory through this
   * connection (P-4.9). Idempotent.
   *
   * @return false if the device refused, so the memory must not be reused
   */
  boolean fenceAndClose() {
    if (closed) {
      return true;
    }
    closed = true;
    boolean fenced = toError();
    try {
      // The window first: on Soft-RoCE a bound one holds its queue pair, whose destroy then waits
      // 50 s.
      window.close();
      queuePair.close();
      queue.close();
      arena.close();
      // A destroyed queue pair accepts nothing either.
      return true;
    } catch (RdmaException e) {
      return fenced;
    }
  }

  private boolean toError() {
    try {
      queuePair.toError();
      return true;
    } catch (RdmaException e) {
      return false;
    }
  }

  @Override
  public String toString() {
    return "connection " + id + " on " + queuePair;
  }
}
