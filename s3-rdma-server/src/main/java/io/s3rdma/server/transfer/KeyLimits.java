package io.s3rdma.server.transfer;

import io.s3rdma.server.transfer.TransferException.Failure;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What each access key uses, against its limits (P-2.6). Thread-safe. Keeps an entry for every key
 * that ever connected; keys are authenticated, so these are as many as the server has.
 */
final class KeyLimits {
  private final int connectionsMax;
  private final PeerLimits limits;
  private final Map<String, Use> uses = new ConcurrentHashMap<>();

  KeyLimits(int connectionsMax, PeerLimits limits) {
    this.connectionsMax = connectionsMax;
    this.limits = limits;
  }

  private final class Use {
    private final RateLimit connects = new RateLimit(limits.connectsPerSecondMax());
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger transfers = new AtomicInteger();
  }

  private Use of(String owner) {
    return uses.computeIfAbsent(owner, k -> new Use());
  }

  /** Before anything that all keys share is used: a flood of one key is no other's loss. */
  void requireConnectRate(String owner) {
    if (!of(owner).connects.tryAcquire()) {
      throw over(
          "this access key makes more than %d connects in a second", limits.connectsPerSecondMax());
    }
  }

  void enterConnection(String owner) {
    enter(of(owner).connections, connectionsMax, "this access key holds all its %d connections");
  }

  void leaveConnection(String owner) {
    of(owner).connections.decrementAndGet();
  }

  void enterTransfer(String owner) {
    enter(of(owner).transfers, limits.transfersMax(), "this access key runs all its %d transfers");
  }

  void leaveTransfer(String owner) {
    of(owner).transfers.decrementAndGet();
  }

  private static void enter(AtomicInteger count, int max, String message) {
    if (count.incrementAndGet() > max) {
      count.decrementAndGet();
      throw over(message, max);
    }
  }

  private static TransferException over(String message, int max) {
    return new TransferException(Failure.LIMIT, message.formatted(max));
  }
}
