package io.s3rdma.server.http;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bounded pool of platform threads that operations run on. Unlike the JDK's pools it gives work
 * to the thread that became idle last, whose stack and buffers are still in the caches: with few
 * requests at a time one thread does them all, where the JDK's would take turns through all of
 * them. What does not fit waits in a bounded queue, in order; what does not fit there is refused.
 *
 * <p>Threads: any may submit. One lock, held for some list steps. A thread that had no work for a
 * minute or two ends.
 */
final class OperationThreads implements Executor {
  private static final Logger LOG = LoggerFactory.getLogger(OperationThreads.class);
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final int threadsMax;
  private final int queueMax;
  private final Deque<Runnable> queue = new ArrayDeque<>();
  private final Deque<Worker> idle = new ArrayDeque<>();
  private final Set<Worker> workers = new HashSet<>();
  private long number;
  private volatile boolean stopping;

  OperationThreads(int threadsMax, int queueMax) {
    this.threadsMax = threadsMax;
    this.queueMax = queueMax;
  }

  /**
   * Runs it on a thread of the pool, soon or when one is free.
   *
   * @throws RejectedExecutionException if threads and queue are full, or the pool stops
   */
  @Override
  public void execute(Runnable task) {
    Worker waiting;
    synchronized (this) {
      if (stopping) {
        throw new RejectedExecutionException("the pool stops");
      }
      waiting = idle.pollLast();
      if (waiting != null) {
        waiting.next = task;
      } else if (workers.size() < threadsMax) {
        start(task);
      } else if (queue.size() < queueMax) {
        queue.addLast(task);
      } else {
        throw new RejectedExecutionException("all threads are busy and the queue is full");
      }
    }
    if (waiting != null) {
      LockSupport.unpark(waiting.thread);
    }
  }

  private void start(Runnable task) {
    Worker worker = new Worker(task);
    worker.thread = Thread.ofPlatform().daemon().name("s3-op-" + ++number).unstarted(worker);
    workers.add(worker);
    boolean started = false;
    try {
      worker.thread.start();
      started = true;
    } finally {
      if (!started) {
        workers.remove(worker);
      }
    }
  }

  /** A thread, and what it has to do next. */
  private final class Worker implements Runnable {
    private Thread thread;
    private volatile Runnable next;

    Worker(Runnable first) {
      this.next = first;
    }

    @Override
    public void run() {
      for (Runnable task = next; task != null; task = take(this)) {
        next = null;
        try {
          task.run();
        } catch (RuntimeException | Error e) {
          LOG.error("an operation failed outside its request", e);
        }
      }
    }
  }

  /** The next task of this worker, or null if it is to end. */
  private Runnable take(Worker worker) {
    synchronized (this) {
      Runnable waiting = queue.pollFirst();
      if (waiting != null) {
        return waiting;
      }
      if (stopping) {
        leave(worker);
        return null;
      }
      Thread.interrupted(); // meant for what ran before
      idle.addLast(worker);
    }
    LockSupport.parkNanos(this, IDLE_NANOS);
    // Woken for nothing: only now is the clock worth reading, which may be a system call.
    long until = worker.next == null ? System.nanoTime() + IDLE_NANOS : 0;
    while (worker.next == null) {
      if (stopping || until - System.nanoTime() <= 0) {
        return retire(worker);
      }
      LockSupport.parkNanos(this, until - System.nanoTime());
    }
    return worker.next;
  }

  /** Work may have come just before. */
  private synchronized Runnable retire(Worker worker) {
    if (worker.next == null) {
      idle.remove(worker);
      leave(worker);
    }
    return worker.next;
  }

  private void leave(Worker worker) {
    workers.remove(worker);
    notifyAll();
  }

  /** Threads without work. */
  synchronized int idle() {
    return idle.size();
  }

  /** No more work; what waits is still done. */
  void shutdown() {
    List<Worker> waiting;
    synchronized (this) {
      stopping = true;
      waiting = new ArrayList<>(idle);
      notifyAll();
    }
    waiting.forEach(worker -> LockSupport.unpark(worker.thread));
  }

  /** Drops what waits and interrupts what runs. */
  void shutdownNow() {
    shutdown();
    synchronized (this) {
      queue.clear();
      workers.forEach(worker -> worker.thread.interrupt());
    }
  }

  /** True if every thread has ended within that time. */
  synchronized boolean awaitTermination(long nanos) throws InterruptedException {
    long until = System.nanoTime() + nanos;
    while (!workers.isEmpty()) {
      long left = until - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    return true;
  }
}
