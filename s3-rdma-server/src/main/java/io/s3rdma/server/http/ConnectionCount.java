package io.s3rdma.server.http;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Who is connected, over all listeners, and whether one more may be. Thread-safe. */
final class ConnectionCount {
  private final HttpLimits limits;
  private final Map<InetAddress, Integer> byAddress = new HashMap<>();
  private int open;

  ConnectionCount(HttpLimits limits) {
    this.limits = limits;
  }

  /** Counts the connection if it is admitted; then, and only then, {@link #leave} follows. */
  synchronized Optional<RequestObserver.Refusal> admit(InetAddress remote) {
    if (open >= limits.connectionsMax()) {
      return Optional.of(RequestObserver.Refusal.TOTAL);
    }
    int most = limits.connectionsPerAddressMax();
    if (most > 0 && byAddress.getOrDefault(remote, 0) >= most) {
      return Optional.of(RequestObserver.Refusal.ADDRESS);
    }
    open++;
    byAddress.merge(remote, 1, Integer::sum);
    return Optional.empty();
  }

  synchronized void leave(InetAddress remote) {
    open--;
    byAddress.computeIfPresent(remote, (address, count) -> count == 1 ? null : count - 1);
  }
}
