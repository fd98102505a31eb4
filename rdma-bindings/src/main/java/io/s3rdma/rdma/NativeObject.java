package io.s3rdma.rdma;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * A native object in the ownership tree.
 *
 * <p>Threads: creation, close and the child list are guarded by one lock per object; use of an open
 * object takes no lock. Invariants: a parent with live children refuses to close and names them;
 * close is idempotent; a failed native destroy leaves the object open, so nothing is lost. Order:
 * children first, then the object, then it leaves its parent's list.
 */
abstract sealed class NativeObject implements AutoCloseable
    permits RdmaDevice, ProtectionDomain, MemoryRegion, MemoryWindow, CompletionQueue, QueuePair {
  private final NativeObject parent;
  private final long handle;
  private final Set<NativeObject> children = new LinkedHashSet<>();
  private volatile boolean closed;

  NativeObject(NativeObject parent, long handle) {
    this.parent = parent;
    this.handle = handle;
  }

  /** Enters this object into its parent's list; called last in every constructor's factory. */
  final void attach() {
    if (parent != null) {
      synchronized (parent) {
        parent.children.add(this);
      }
    }
  }

  /** The native handle, or an error that names the object if it is closed. */
  final long handle() {
    if (closed) {
      throw RdmaException.misuse(this + " is closed");
    }
    return handle;
  }

  /** True after a successful close. */
  public final boolean isClosed() {
    return closed;
  }

  /**
   * Destroys the native object. Idempotent.
   *
   * @throws RdmaException if children are alive (they are named) or the provider refuses
   */
  @Override
  public final void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      if (!children.isEmpty()) {
        throw RdmaException.misuse(this + " still owns " + children + "; close those first");
      }
      destroy(handle);
      closed = true;
    }
    if (parent != null) {
      synchronized (parent) {
        parent.children.remove(this);
      }
    }
  }

  abstract void destroy(long handle);
}
