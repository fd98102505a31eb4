package io.s3rdma.server.http;

import java.util.ArrayList;
import java.util.List;

/**
 * Turns cancelled once, when the HTTP connection closes while its request runs (P-4.8). Listeners
 * run on the thread that cancels, which is an event loop: they must not block.
 */
public final class CancelSignal {
  private final List<Runnable> listeners = new ArrayList<>(1);
  private boolean cancelled;

  public synchronized boolean isCancelled() {
    return cancelled;
  }

  /** Runs {@code listener} on cancellation, at once if that was before; close to unsubscribe. */
  public AutoCloseable onCancel(Runnable listener) {
    synchronized (this) {
      if (!cancelled) {
        listeners.add(listener);
        return () -> forget(listener);
      }
    }
    listener.run();
    return () -> {};
  }

  /** Idempotent. */
  public void cancel() {
    List<Runnable> toRun;
    synchronized (this) {
      if (cancelled) {
        return;
      }
      cancelled = true;
      toRun = List.copyOf(listeners);
      listeners.clear();
    }
    toRun.forEach(Runnable::run);
  }

  private synchronized void forget(Runnable listener) {
    listeners.remove(listener);
  }
}
