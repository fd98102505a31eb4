package io.s3rdma.server.transfer;

import io.s3rdma.rdma.AsyncEvent;
import io.s3rdma.rdma.GidEntry;
import io.s3rdma.rdma.PortAttributes;
import io.s3rdma.rdma.PortName;
import io.s3rdma.rdma.RailFinder;
import io.s3rdma.rdma.RdmaException;
import io.s3rdma.rdma.wire.Gid;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One RDMA device port for the life of the server: up, or out until a probe finds it well again.
 *
 * <p>Out is a port that is down, that lost or changed its address, or whose device failed: its
 * connections are ended at once, so that their transfers fail now and not after the transport's
 * retries, and connects go to other rails. A device that failed is closed and opened again. An
 * event of one queue pair ends that connection alone: a peer can cause those, and must not be able
 * to take a rail from others.
 *
 * <p>Threads: one daemon thread waits for asynchronous events and probes; it alone changes the
 * state, which others read.
 */
final class Rail {
  private static final Logger LOG = LoggerFactory.getLogger(Rail.class);
  private static final int EVENT_WAIT_MILLIS = 1000; // each wait costs; nothing waits for its end
  private static final int RETRY_MILLIS = 250;
  private static final long PROBE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int SHORT_PROBES_MAX = 9;

  /** What a rail can carry now. */
  enum State {
    UP,
    PORT_DOWN,
    /** The port has no usable GID, or another one than its connections. */
    NO_ADDRESS,
    /** The device or the completion queue failed. */
    FAILED
  }

  /** What happens to connections when their rail goes out. */
  interface Connections {
    void endAll(OpenRail rail);

    /** One of them: the device says that its queue pair failed. */
    void end(OpenRail rail, int queuePairNumber);
  }

  private final PortName name;
  private final RailShare share;
  private final TransferConfig config;
  private final RailCounts counts = new RailCounts();
  private final LongAdder outages = new LongAdder();
  private volatile OpenRail open;
  private volatile State state;
  private volatile String cause = "";
  private volatile Gid gid;
  private volatile int networkBits;
  private volatile boolean closing;
  private Connections connections;
  private Thread watcher;
  private long nextProbe;
  private List<GidEntry> knownGids = List.of(); // of the last closer look
  private int shortProbes; // since then

  /** Opens the device; throws if it cannot be opened. The port may be down. */
  Rail(PortName name, RailShare share, TransferConfig config) {
    this.name = name;
    this.share = share;
    this.config = config;
    this.open = OpenRail.open(name, share, config);
    try {
      this.state = examine(open);
    } catch (RdmaException e) {
      open.free();
      throw e;
    }
    open.out(state != State.UP);
  }

  /** From now on events and probes change the state. Once. */
  void watch(Connections over) {
    connections = over;
    nextProbe = System.nanoTime() + PROBE_NANOS;
    watcher = Thread.ofPlatform().daemon().name("s3rdma-events-" + name).start(this::run);
  }

  // ---- watcher thread ----

  private void run() {
    while (!closing) {
      try {
        OpenRail now = open;
        if (now == null) {
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(RETRY_MILLIS));
        } else {
          now.awaitAsyncEvent(EVENT_WAIT_MILLIS).ifPresent(this::onEvent);
        }
        probe();
      } catch (RdmaException e) {
        out(State.FAILED, e.getMessage());
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(RETRY_MILLIS));
      } catch (RuntimeException e) {
        LOG.error("rail {} is not watched well", name, e);
      }
    }
  }

  private void onEvent(AsyncEvent event) {
    switch (event.type()) {
      case PORT_ERROR -> {
        if (event.port() == name.port()) {
          out(State.PORT_DOWN, "the device reports that the port is down");
        }
      }
      case PORT_ACTIVE, GID_CHANGE -> {
        knownGids = List.of();
        nextProbe = System.nanoTime();
      }
      case DEVICE_FATAL, COMPLETION_QUEUE_ERROR ->
          out(State.FAILED, "the device reports " + event.type());
      case QUEUE_PAIR_FATAL, QUEUE_PAIR_REQUEST_ERROR, QUEUE_PAIR_ACCESS_ERROR -> {
        LOG.warn("rail {}: {} of queue pair {}", name, event.type(), event.queuePairNumber());
        connections.end(open, event.queuePairNumber());
      }
      case OTHER -> LOG.debug("rail {}: event {}", name, event.raw());
    }
  }

  private void probe() {
    OpenRail now = open;
    if (now != null && now.isBroken() && state != State.FAILED) {
      out(State.FAILED, "the completion queue cannot be polled");
    }
    if (closing || System.nanoTime() - nextProbe < 0) {
      return;
    }
    nextProbe = System.nanoTime() + PROBE_NANOS;
    if (state == State.FAILED) {
      reopen();
      return;
    }
    Gid before = gid;
    if (state == State.UP && isAsBefore(now)) {
      return;
    }
    State found = examine(now);
    if (found == State.UP && state == State.UP && !gid.equals(before)) {
      out(State.NO_ADDRESS, "the address was " + before + " and is " + gid);
      nextProbe = System.nanoTime();
    } else if (found == State.UP && state != State.UP) {
      back(now);
    } else if (found != state) {
      out(found, cause);
    }
  }

  /**
   * Whether a well rail needs no closer look: whose address is whose takes a system call for each
   * of the host's, and the kernel changes the port's table with them.
   */
  private boolean isAsBefore(OpenRail rail) {
    if (shortProbes++ >= SHORT_PROBES_MAX) {
      return false;
    }
    return rail.portAttributes().active() && rail.gids().equals(knownGids);
  }

  /** What the port is now; keeps its address, and the cause if it is not up. */
  private State examine(OpenRail rail) {
    PortAttributes port = rail.portAttributes();
    if (!port.active()) {
      cause = "the port is not active";
      return State.PORT_DOWN;
    }
    List<GidEntry> table = rail.gids(); // before it is searched, so that no change is missed
    Optional<GidEntry> found = rail.gid();
    if (found.isEmpty()) {
      cause = "the port has no usable GID";
      return State.NO_ADDRESS;
    }
    gid = found.get().gid();
    networkBits = RailFinder.networkBits(gid, port.ethernet());
    knownGids = table;
    shortProbes = 0;
    cause = "";
    return State.UP;
  }

  private void out(State next, String why) {
    State before = state;
    OpenRail now = open;
    if (now != null) {
      now.out(true);
    }
    state = next;
    cause = why;
    if (before == State.UP) {
      outages.increment();
      LOG.warn("rail {} is out: {}", name, why);
    }
    // Not at once: a link that flaps must not take its connections down at every turn.
    nextProbe = System.nanoTime() + PROBE_NANOS;
    if (now != null) {
      connections.endAll(now);
    }
  }

  private void back(OpenRail rail) {
    rail.out(false);
    state = State.UP;
    cause = "";
    LOG.info("rail {} is back", name);
  }

  /** The old connections end first: while one is left its memory stays, and so does the outage. */
  private void reopen() {
    OpenRail old = open;
    if (old != null) {
      connections.endAll(old);
      if (old.connections().get() > 0) {
        return;
      }
      try {
        old.free();
      } catch (RdmaException e) {
        cause = "the failed device is not free yet: " + e.getMessage();
        return;
      }
      open = null;
    }
    try {
      OpenRail next = OpenRail.open(name, share, config);
      next.out(true);
      open = next;
      State found = examine(next);
      if (found == State.UP) {
        back(next);
      } else {
        state = found;
      }
    } catch (TransferException e) {
      cause = e.getMessage();
    }
  }

  // ---- any thread ----

  PortName name() {
    return name;
  }

  RailCounts counts() {
    return counts;
  }

  /** Where connections are opened now; empty while it is out. */
  Optional<OpenRail> usable() {
    OpenRail now = open;
    return state == State.UP && now != null && !now.isOut() ? Optional.of(now) : Optional.empty();
  }

  boolean isFailed() {
    OpenRail now = open;
    return state == State.FAILED || (now != null && now.isBroken());
  }

  /** For the choice among rails. */
  RailChoice.Candidate candidate() {
    Optional<OpenRail> now = usable();
    return new RailChoice.Candidate(
        Optional.ofNullable(gid),
        networkBits,
        now.isPresent(),
        now.map(r -> r.connections().get()).orElse(0));
  }

  RailStatus status() {
    Optional<OpenRail> now = Optional.ofNullable(open);
    Optional<StagingPool> staging = now.map(OpenRail::staging);
    return new RailStatus(
        name.toString(),
        state.name().toLowerCase(java.util.Locale.ROOT),
        cause,
        Optional.ofNullable(gid).map(Gid::toString).orElse(""),
        outages.sum(),
        now.map(r -> r.connections().get()).orElse(0),
        staging.map(StagingPool::total).orElse(0),
        staging.map(StagingPool::inUse).orElse(0),
        staging.map(StagingPool::lost).orElse(0),
        now.flatMap(OpenRail::hot).map(HotMemory::hits).orElse(0L),
        now.flatMap(OpenRail::hot).map(HotMemory::fills).orElse(0L),
        now.map(OpenRail::strays).orElse(0L),
        counts.bytesWritten(),
        counts.bytesRead(),
        counts.failures(),
        staging.map(StagingPool::describe).orElse(""));
  }

  /** Asks the watcher to end; {@link #close} waits for it. */
  void stopWatching() {
    closing = true;
    OpenRail now = open;
    if (now != null) {
      now.wake();
    }
    LockSupport.unpark(watcher);
  }

  /** After all connections are gone. */
  void close() {
    closing = true;
    try {
      if (watcher != null) {
        watcher.join(8L * EVENT_WAIT_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try {
      OpenRail now = open;
      if (now != null) {
        now.free();
      }
    } catch (RdmaException e) {
      LOG.error("rail {} is not freed: {}", name, e.getMessage());
    }
  }

  @Override
  public String toString() {
    return "rail " + name;
  }
}
