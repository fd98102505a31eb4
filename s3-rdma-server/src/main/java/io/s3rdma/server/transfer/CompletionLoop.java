package io.s3rdma.server.transfer;

import io.s3rdma.rdma.CompletionBatch;
import io.s3rdma.rdma.CompletionQueue;
import io.s3rdma.rdma.CompletionStatus;
import io.s3rdma.rdma.RdmaException;
import java.lang.foreign.Arena;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reaps a rail's completion queue and hands each completion to its transfer.
 *
 * <p>Threads: one daemon platform thread, the only one that polls, arms and waits; {@link #close}
 * from any other. Guarantees: every completion of a live slot reaches its transfer exactly once;
 * one that fits no open work request is counted as stray and dropped. Per completion: no
 * allocation, lock, log or system call of ours. Idle: a short spin, then arm, poll once more (a
 * completion between the two would else be missed), then sleep in the kernel. Close order: every
 * transfer has drained first; then the thread ends; the queue is closed by the rail afterwards.
 */
final class CompletionLoop implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CompletionLoop.class);
  private static final int BATCH = 64;
  private static final int IDLE_WAIT_MILLIS = 1000;

  private final CompletionQueue queue;
  private final StagingPool pool;
  private final int spins;
  private final Runnable onBroken;
  private final LongAdder strays = new LongAdder();
  private final Thread thread;
  private volatile boolean stopping;

  /**
   * Starts the thread.
   *
   * @param spins empty polls before arming; 0 where the CPU is needed by the peer
   * @param onBroken called once if the queue cannot be polled any more
   */
  CompletionLoop(
      String name, CompletionQueue queue, StagingPool pool, int spins, Runnable onBroken) {
    this.queue = queue;
    this.pool = pool;
    this.spins = spins;
    this.onBroken = onBroken;
    this.thread = Thread.ofPlatform().daemon().name("s3rdma-cq-" + name).unstarted(this::run);
    thread.start();
  }

  private void run() {
    try (Arena arena = Arena.ofConfined()) {
      CompletionBatch batch = new CompletionBatch(arena, BATCH);
      while (!stopping) {
        if (reap(batch) == 0 && !spin(batch)) {
          queue.arm();
          if (reap(batch) == 0) {
            queue.await(IDLE_WAIT_MILLIS);
          }
        }
      }
    } catch (RdmaException e) {
      LOG.error(
          "completion queue of {} is broken, the rail is taken out: {}",
          thread.getName(),
          e.getMessage());
      onBroken.run();
    }
  }

  private boolean spin(CompletionBatch batch) {
    for (int i = 0; i < spins && !stopping; i++) {
      Thread.onSpinWait();
      if (reap(batch) > 0) {
        return true;
      }
    }
    return false;
  }

  private int reap(CompletionBatch batch) {
    int count = queue.poll(batch);
    for (int i = 0; i < count; i++) {
      if (!handOver(batch.id(i), batch.status(i), batch.vendorError(i))) {
        strays.increment();
      }
    }
    return count;
  }

  private boolean handOver(long id, CompletionStatus status, int vendorError) {
    StagingSlot slot = pool.slot(WorkRequestId.slot(id));
    if (slot == null) {
      return false;
    }
    int generation = WorkRequestId.generation(id);
    boolean leading = WorkRequestId.isLeading(id);
    InFlight transfer = leading ? slot.owner(generation) : slot.disarm(generation);
    if (transfer == null) {
      return false;
    }
    if (leading) {
      transfer.failedEarly(status, vendorError); // the last one's completion is still to come
    } else {
      transfer.completed(slot.index(), status, vendorError, pool.isContended());
    }
    return true;
  }

  /** Completions that belonged to no open work request. */
  long strays() {
    return strays.sum();
  }

  @Override
  public void close() {
    stopping = true;
    queue.wake();
    try {
      thread.join(2L * IDLE_WAIT_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
