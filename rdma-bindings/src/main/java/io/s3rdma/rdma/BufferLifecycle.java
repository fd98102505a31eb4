package io.s3rdma.rdma;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Who may use a buffer, and when its memory may go.
 *
 * <p>Threads: any; all state is under this object's lock, none of it on a per-chunk path.
 * Invariants: memory is freed at most once, never while a lease is held, and never at all once the
 * buffer is quarantined (a fence failed, so a peer may still write). Close order: hooks
 * (deregistrations), last added first, then the memory.
 */
public final class BufferLifecycle {
  private final String name;
  private final Deque<AutoCloseable> hooks = new ArrayDeque<>();
  private int leases;
  private boolean closed;
  private String quarantine = "";

  /**
   * A lifecycle for one buffer.
   *
   * @param name how messages call the buffer, for example "host buffer of 4096 bytes"
   */
  public BufferLifecycle(String name) {
    this.name = name;
  }

  /** Proof that a transfer uses the buffer. */
  public final class Lease implements AutoCloseable {
    private boolean released;

    private Lease() {}

    @Override
    public void close() {
      synchronized (BufferLifecycle.this) {
        if (!released) {
          released = true;
          leases--;
        }
      }
    }
  }

  /** Takes a lease; refused if the buffer is closed or quarantined. */
  public synchronized Lease lease() {
    checkUsable();
    leases++;
    return new Lease();
  }

  /** Throws if the buffer is closed or quarantined. */
  public synchronized void checkUsable() {
    if (closed) {
      throw RdmaException.misuse(name + " is closed");
    }
    if (!quarantine.isEmpty()) {
      throw RdmaException.misuse(name + " is quarantined: " + quarantine);
    }
  }

  /**
   * Runs before the memory is freed; used for deregistration. Returns the hook for {@link
   * #removeHook}.
   */
  public synchronized AutoCloseable addHook(AutoCloseable hook) {
    checkUsable();
    hooks.push(hook);
    return hook;
  }

  public synchronized void removeHook(AutoCloseable hook) {
    hooks.remove(hook);
  }

  /**
   * Forbids all further use and any freeing: a fence failed, so a peer may still reach the memory.
   */
  public synchronized void quarantine(String reason) {
    quarantine = reason;
  }

  public synchronized boolean isQuarantined() {
    return !quarantine.isEmpty();
  }

  public synchronized boolean isClosed() {
    return closed;
  }

  /**
   * Closes once: runs the hooks, then frees. With a lease held it is refused; a quarantined buffer
   * is marked closed but its memory is kept for the life of the process.
   */
  public void close(Runnable free) {
    Deque<AutoCloseable> pending;
    synchronized (this) {
      if (closed) {
        return;
      }
      if (leases > 0) {
        throw RdmaException.misuse(
            name + " has " + leases + " transfer(s) in flight; close it after they ended");
      }
      closed = true;
      pending = new ArrayDeque<>(hooks);
      hooks.clear();
    }
    runAll(pending);
    if (!isQuarantined()) {
      free.run();
    }
  }

  private void runAll(Deque<AutoCloseable> pending) {
    RdmaException first = null;
    while (!pending.isEmpty()) {
      try {
        pending.pop().close();
      } catch (Exception e) {
        // A region that is still registered pins the pages: the memory must not be freed under it.
        quarantine("its registration could not be closed: " + e.getMessage());
        if (first == null) {
          first = RdmaException.misuse(name + ": " + e.getMessage());
        }
        first.addSuppressed(e);
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
