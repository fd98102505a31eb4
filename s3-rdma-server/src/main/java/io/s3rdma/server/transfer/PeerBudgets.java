package io.s3rdma.server.transfer;

import io.s3rdma.rdma.wire.Gid;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many faults each peer may still cause (P-2.12). A refused access, as a guessed key ends,
 * costs more than a transport failure, which an honest host has too. A peer whose points are gone
 * is served by HTTP for a while; then it has all of them again. Thread-safe.
 */
final class PeerBudgets {
  /** Points of a refusal by the peer's memory, and of a wrong proof. */
  static final int REFUSAL = 4;

  /** Points of a peer that did not answer, or not well. */
  static final int TRANSPORT = 1;

  private static final Logger LOG = LoggerFactory.getLogger(PeerBudgets.class);

  private final PeerLimits limits;
  private final LongSupplier nanoTime;
  private final Map<Peer, Account> accounts = new ConcurrentHashMap<>();
  private final LongAdder coolDowns = new LongAdder();

  /** Who is meant: an access key on a host. */
  record Peer(String owner, Gid gid) {}

  PeerBudgets(PeerLimits limits, LongSupplier nanoTime) {
    this.limits = limits;
    this.nanoTime = nanoTime;
  }

  private final class Account {
    private double points = limits.errorBudget();
    private long atNanos = nanoTime.getAsLong();
    private long coolUntilNanos = atNanos;
    private boolean cooling;

    /** True if this used the budget up. */
    private synchronized boolean take(int cost) {
      refresh();
      points -= cost;
      if (cooling || points > 0) {
        return false;
      }
      cooling = true;
      coolUntilNanos = atNanos + TimeUnit.SECONDS.toNanos(limits.coolDownSeconds());
      return true;
    }

    private void refresh() {
      long now = nanoTime.getAsLong();
      double perNano = limits.errorBudget() / (limits.errorWindowSeconds() * 1e9);
      points = Math.min(limits.errorBudget(), points + (now - atNanos) * perNano);
      atNanos = now;
      if (cooling && now - coolUntilNanos >= 0) {
        cooling = false;
        points = limits.errorBudget();
      }
    }

    private synchronized boolean isCooling() {
      refresh();
      return cooling;
    }

    private synchronized boolean isCalm() {
      refresh();
      return !cooling && points >= limits.errorBudget();
    }
  }

  void charge(Peer peer, int cost) {
    if (limits.errorBudget() == 0) {
      return;
    }
    if (accounts.computeIfAbsent(peer, k -> new Account()).take(cost)) {
      coolDowns.increment();
      LOG.warn(
          "peer {} with access key '{}' caused too many faults: it is served by HTTP for {} s",
          peer.gid(),
          peer.owner(),
          limits.coolDownSeconds());
    }
  }

  boolean isCoolingDown(Peer peer) {
    Account account = accounts.get(peer);
    return account != null && account.isCooling();
  }

  /** Drops what says nothing any more; called now and then. */
  void forgetCalm() {
    accounts.values().removeIf(Account::isCalm);
  }

  /** Peers with a history. */
  int size() {
    return accounts.size();
  }

  long coolDowns() {
    return coolDowns.sum();
  }
}
