package io.s3rdma.rdma;

/**
 * A completion queue with its own event channel. One thread polls, arms and waits; {@link #wake}
 * may come from any thread. Per-completion methods do not allocate.
 */
public final class CompletionQueue extends NativeObject {
  private final int depth;

  CompletionQueue(RdmaDevice device, long handle, int depth) {
    super(device, handle);
    this.depth = depth;
  }

  /** The depth that was asked for; the provider may hold more. */
  public int depth() {
    return depth;
  }

  /** Reaps what is there, at most the batch's capacity; returns how many. */
  public int poll(CompletionBatch batch) {
    int count = Shim.cqPoll(handle(), batch.address(), batch.capacity());
    batch.filled(count);
    return count;
  }

  /** Asks for an event at the next completion. Poll once more after this, then wait. */
  public void arm() {
    Shim.cqArm(handle());
  }

  /**
   * Waits for the event that {@link #arm} asked for. Blocks a platform thread.
   *
   * @return true if an event or a wake-up came, false on time-out
   */
  public boolean await(int timeoutMillis) {
    return Shim.cqWait(handle(), timeoutMillis) != 0;
  }

  /** Wakes the waiter. Any thread. */
  public void wake() {
    Shim.cqWake(handle());
  }

  @Override
  void destroy(long handle) {
    Shim.cqDestroy(handle);
  }

  @Override
  public String toString() {
    return "completion queue of depth " + depth;
  }
}
