package io.s3rdma.client;

import io.s3rdma.rdma.TransferBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs the parts of one object on a few threads. After the first failure no part begins; the call
 * returns when none runs any more, so that afterwards nobody uses the buffers.
 */
final class PartWorkers {
  private PartWorkers() {}

  /** One part of the work; called once for each number. */
  interface Step<R> {
    R run(TransferBuffer buffer, int part) throws Exception;
  }

  /** Gives a thread a buffer of its own, closed at its end. */
  interface Opener {
    TransferBuffer open() throws Exception;
  }

  /** The results by number. */
  static <R> List<R> run(int parts, int threads, Opener opener, Step<R> step) {
    List<R> results = new ArrayList<>();
    for (int i = 0; i < parts; i++) {
      results.add(null);
    }
    AtomicInteger next = new AtomicInteger();
    try (ExecutorService pool = Executors.newFixedThreadPool(Math.min(threads, parts))) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < Math.min(threads, parts); i++) {
        running.add(pool.submit(() -> work(next, results, opener, step)));
      }
      return await(running, results);
    }
  }

  private static <R> Void work(AtomicInteger next, List<R> results, Opener opener, Step<R> step)
      throws Exception {
    try (TransferBuffer buffer = opener.open()) {
      for (int part = next.getAndIncrement();
          part < results.size();
          part = next.getAndIncrement()) {
        R result = step.run(buffer, part);
        synchronized (results) {
          results.set(part, result);
        }
      }
      return null;
    } catch (Throwable e) {
      next.set(results.size());
      throw e;
    }
  }

  private static <R> List<R> await(List<Future<?>> running, List<R> results) {
    Throwable failure = null;
    for (Future<?> worker : running) {
      try {
        worker.get();
      } catch (ExecutionException e) {
        if (failure == null) {
          failure = e.getCause();
        } else {
          failure.addSuppressed(e.getCause());
        }
      } catch (InterruptedException e) {
        running.forEach(other -> other.cancel(true));
        Thread.currentThread().interrupt();
        failure = failure == null ? new TransferFailedException("interrupted", e) : failure;
      }
    }
    if (failure != null) {
      throw unchecked(failure);
    }
    synchronized (results) {
      return List.copyOf(results);
    }
  }

  private static RuntimeException unchecked(Throwable failure) {
    return switch (failure) {
      case Error e -> throw e;
      case RuntimeException e -> e;
      default -> new TransferFailedException("a part failed: " + failure, failure);
    };
  }
}
