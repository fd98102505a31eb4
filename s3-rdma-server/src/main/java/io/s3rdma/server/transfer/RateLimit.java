package io.s3rdma.server.transfer;

/** At most so many in any second (token bucket with one second of burst). Thread-safe. */
final class RateLimit {
  private final double perNano;
  private final double burst;
  private double tokens;
  private long lastNanos = System.nanoTime();

  RateLimit(int perSecond) {
    this.perNano = perSecond / 1e9;
    this.burst = perSecond;
    this.tokens = perSecond;
  }

  synchronized boolean tryAcquire() {
    long now = System.nanoTime();
    tokens = Math.min(burst, tokens + (now - lastNanos) * perNano);
    lastNanos = now;
    if (tokens < 1) {
      return false;
    }
    tokens -= 1;
    return true;
  }
}
