package io.s3rdma.rdma;

/**
 * A type 2 memory window: a remote key over exactly the bytes of one request. Bound and invalidated
 * through a queue pair ({@link QueuePair#bind}); every bind has a new key. Not thread-safe.
 */
public final class MemoryWindow extends NativeObject {
  MemoryWindow(ProtectionDomain domain, long handle) {
    super(domain, handle);
  }

  @Override
  void destroy(long handle) {
    Shim.mwFree(handle);
  }

  @Override
  public String toString() {
    return "memory window";
  }
}
