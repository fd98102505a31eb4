package io.s3rdma.server.http;

/**
 * Tells a peer that moves too few bytes. Asked once a window; only a phase that lasted the whole
 * window is judged, so that whoever begins late in a window has at least a full one. Event loop
 * only.
 */
final class RateWatch {
  private final long bytesMin;
  private Object phase;
  private long bytesThen;

  /** {@code bytesMin} is what must move in a window. */
  RateWatch(long bytesMin) {
    this.bytesMin = bytesMin;
  }

  /**
   * {@code now} equals the phase of the last call if nothing has come between; null where the peer
   * owes nothing.
   */
  boolean isTooSlow(Object now, long bytes) {
    boolean judged = now != null && now.equals(phase);
    boolean slow = judged && bytes - bytesThen < bytesMin;
    phase = now;
    bytesThen = bytes;
    return slow;
  }
}
