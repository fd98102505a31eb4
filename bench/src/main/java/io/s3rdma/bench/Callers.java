package io.s3rdma.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;

/** Threads that call at once; they live on, since the CPU of an ended thread cannot be read. */
final class Callers implements AutoCloseable {
  private final int count;
  private final ExecutorService threads;

  Callers(int count) {
    this.count = count;
    this.threads =
        Executors.newFixedThreadPool(
            count, Thread.ofPlatform().daemon().name("bench-client-", 0).factory());
  }

  int count() {
    return count;
  }

  /** Runs the task once in each thread, with the caller's number, and waits for all. */
  void each(IntConsumer task) {
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int number = i;
      running.add(threads.submit(() -> task.accept(number)));
    }
    try {
      for (Future<?> one : running) {
        one.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("a call failed: " + e.getCause().getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
