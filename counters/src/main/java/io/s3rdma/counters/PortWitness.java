package io.s3rdma.counters;

import io.s3rdma.counters.PortEvidence.Finding;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Holds the port's counters against the ledger of everything this process moved through it (P-5.3),
 * while any number of transfers overlap. One per rail and process, for any thread. Two counter
 * reads and a few atomic steps a transfer; nothing a completion.
 *
 * <p><b>The rule.</b> For each direction, S is what open and finished transfers will move or have
 * moved (in the counter's unit), C what finished ones have. A sample at open or close reads the
 * port value p, <em>then</em> S: whatever is not in that S was posted after p was taken. A close
 * adds to C, <em>then</em> reads the port: whatever is in that C was sent before. So in truth
 *
 * <pre>  p(close) - C(close) >= p(sample) - S(sample)   for every earlier sample</pre>
 *
 * and the largest right side, the floor, is all that must be kept. Transfers that were in flight at
 * a sample loosen it and never break it. Other processes, acknowledgements and retransmissions only
 * raise p. Because every sample of the process counts, a stale read at one open does not let
 * packets of the transfer before it pass for packets of this one.
 *
 * <p><b>Stale reads.</b> Values of {@code hw_counters} may be old by {@link
 * CounterReader#freshAfter()}, and rxe counts a packet just after it has sent it. A read that
 * satisfies the rule is enough however old it is, since counters only grow. One that does not is
 * repeated every {@value #POLL_MILLIS} ms until {@code freshAfter} plus {@value #SETTLE_MILLIS} ms
 * are over; only a last read after that contradicts. The cost falls on transfers shorter than the
 * kernel's cache: up to about 20 ms with the default {@code lifespan}, one timer tick after {@link
 * CounterReader#disableCaching()}, none on mlx5, whose packet counters are not cached. If freshness
 * would take more than {@value #WAIT_MAX_MILLIS} ms the answer is unknown, not wrong.
 *
 * <p><b>What it cannot do.</b> While others are in flight, packets they have sent already may stand
 * in for missing ones, so a lie can pass its own close. It cannot pass the next close at which the
 * direction is quiet: then both sides of the rule are complete, and one missing packet shows. The
 * proof for each single transfer is P-5.1; this is the independent check on it.
 *
 * <p><b>After a contradiction</b> the ledger cannot tell which transfer of the window did not
 * travel, so every transfer that was open then is answered {@link Finding#BELOW} and written off,
 * and the floor starts anew, exact again from the next quiet moment. A counter that steps back
 * (device reset) starts it anew with {@link Finding#UNKNOWN}.
 */
public final class PortWitness implements AutoCloseable {
  private static final int POLL_MILLIS = 2;
  private static final int SETTLE_MILLIS = 10;
  private static final int WAIT_MAX_MILLIS = 250;

  /** Where port values come from. */
  interface Source {
    OptionalLong read(Counter counter);

    Duration freshAfter(Counter counter);

    /** Reads after that are empty. */
    default void close() {}
  }

  /** How to wait; at least as long as asked. */
  interface Pause {
    void sleep(Duration time);
  }

  private final Source source;
  private final Pause pause;
  private final Side sent;
  private final Side received;
  private final AtomicLong contradictions = new AtomicLong();

  /** Chooses the port's best counter for each direction, once. */
  public PortWitness(CounterReader reader) {
    this(new KeptFiles(reader), PortWitness::sleep);
  }

  /** Keeps a file open for each counter that was asked for. */
  private static final class KeptFiles implements Source {
    private final CounterReader reader;
    private final Map<Counter, CounterFile> files = new ConcurrentHashMap<>();

    KeptFiles(CounterReader reader) {
      this.reader = reader;
    }

    @Override
    public OptionalLong read(Counter counter) {
      return files.computeIfAbsent(counter, reader::open).read();
    }

    @Override
    public Duration freshAfter(Counter counter) {
      return reader.freshAfter(counter);
    }

    @Override
    public void close() {
      files.values().forEach(CounterFile::close);
    }
  }

  PortWitness(Source source, Pause pause) {
    this.source = source;
    this.pause = pause;
    this.sent = new Side(choose(source, Direction.WRITE));
    this.received = new Side(choose(source, Direction.READ));
  }

  private static Optional<Counter> choose(Source source, Direction direction) {
    return Counter.witnesses(direction).stream()
        .filter(counter -> source.read(counter).isPresent())
        .findFirst();
  }

  /**
   * Opens a transfer's bracket. Call before its first post, and end it in any case with {@link
   * Bracket#close()} or {@link Bracket#abandon()}: a forgotten one weakens every later proof.
   *
   * @param packets the transfer's packets, as in {@link LedgerFacts#packetsExpected()}
   * @param bytes the transfer's payload
   */
  public Bracket open(Direction direction, long packets, long bytes) {
    if (packets < 0 || bytes < 0) {
      throw new IllegalArgumentException("negative count");
    }
    return new Bracket(direction == Direction.WRITE ? sent : received, packets, bytes);
  }

  /** Closes the counters' files: transfers judged after that have no witness. */
  @Override
  public void close() {
    source.close();
  }

  /** Windows in which the port saw less than the ledger, since the start: the alarm counter. */
  public long contradictions() {
    return contradictions.get();
  }

  /** One transfer's view of the window between its first post and its last completion. */
  public final class Bracket {
    private final Side side;
    private final long least;
    private final long epoch;
    private final OptionalLong portAtOpen;
    private final AtomicBoolean ended = new AtomicBoolean();

    private Bracket(Side side, long packets, long bytes) {
      this.side = side;
      this.least = side.counter.map(counter -> counter.least(packets, bytes)).orElse(0L);
      Floor seen = side.floor.get();
      this.epoch = seen.epoch;
      this.portAtOpen = read(side);
      portAtOpen.ifPresent(port -> side.raise(seen.epoch, port));
      side.started.addAndGet(least); // after the sample: these packets are still to come
    }

    /**
     * Ends the bracket of a transfer all of whose completions succeeded. May sleep, see the class;
     * call it on a thread that may wait, never on the completion loop.
     *
     * @throws IllegalStateException if the bracket has ended before
     */
    public PortEvidence close() {
      if (!ended.compareAndSet(false, true)) {
        throw new IllegalStateException("bracket has ended before");
      }
      long completed = side.completed.addAndGet(least);
      return judge(completed);
    }

    /** Ends the bracket of a transfer that failed; nothing if it has ended before. */
    public void abandon() {
      if (ended.compareAndSet(false, true)) {
        side.started.addAndGet(-least);
      }
    }

    private PortEvidence judge(long completed) {
      Floor seen = side.floor.get(); // before the read, so that no later sample is in it
      PortEvidence now = ask(completed, seen);
      if (seen.epoch == epoch) {
        return now;
      }
      if (seen.deficitEpoch > epoch) {
        return new PortEvidence(
            Finding.BELOW,
            now.packets(),
            "the port saw too few in a window that this transfer shared");
      }
      return PortEvidence.unknown("the port's counter stepped back");
    }

    /** Reads until the port saw enough or a read is certainly fresh. */
    private PortEvidence ask(long completed, Floor seen) {
      Optional<PortEvidence> found = look(completed, seen, false);
      if (found.isPresent()) {
        return found.get();
      }
      Duration wait = source.freshAfter(side.counter.orElseThrow()).plusMillis(SETTLE_MILLIS);
      if (wait.compareTo(Duration.ofMillis(WAIT_MAX_MILLIS)) > 0) {
        return PortEvidence.unknown(
            "port counters are cached for longer than " + WAIT_MAX_MILLIS + " ms");
      }
      for (long left = wait.toMillis(); left > 0 && found.isEmpty(); left -= POLL_MILLIS) {
        pause.sleep(Duration.ofMillis(POLL_MILLIS));
        found = look(completed, seen, left <= POLL_MILLIS);
      }
      return found.orElseThrow();
    }

    /** What one read says; empty if it is below and may still be stale. */
    private Optional<PortEvidence> look(long completed, Floor seen, boolean fresh) {
      OptionalLong read = read(side);
      if (read.isEmpty() || seen.value == Floor.NONE) {
        return Optional.of(PortEvidence.unknown("the port has no counter for this direction"));
      }
      long port = read.getAsLong();
      if (port - seen.port < 0) {
        side.startAnew(seen.epoch, port, false);
        return Optional.of(PortEvidence.unknown("the port's counter stepped back"));
      }
      long missing = seen.value - (port - completed);
      if (missing <= 0) {
        side.raise(seen.epoch, port);
        return Optional.of(evidence(Finding.HOLDS, port, "the port saw all of the window"));
      }
      if (!fresh) {
        return Optional.empty();
      }
      if (side.startAnew(seen.epoch, port, true)) {
        contradictions.incrementAndGet();
      }
      return Optional.of(
          evidence(
              Finding.BELOW, port, "the port saw %d too few in the window".formatted(missing)));
    }

    private PortEvidence evidence(Finding finding, long port, String reason) {
      Counter counter = side.counter.orElseThrow();
      long since = port - portAtOpen.orElse(port);
      boolean packets = counter.unit() == Unit.PACKETS && portAtOpen.isPresent() && since >= 0;
      return new PortEvidence(
          finding,
          packets ? OptionalLong.of(since) : OptionalLong.empty(),
          counter.fileName() + ": " + reason);
    }
  }

  private OptionalLong read(Side side) {
    return side.counter.isEmpty() ? OptionalLong.empty() : source.read(side.counter.get());
  }

  /**
   * @param epoch counts fresh starts
   * @param deficitEpoch the last epoch that began with a contradiction
   * @param value largest p - S of the epoch's samples, or {@link #NONE}
   * @param port largest port value of the epoch
   */
  private record Floor(long epoch, long deficitEpoch, long value, long port) {
    static final long NONE = Long.MIN_VALUE;
  }

  /** The ledger of one direction. */
  private static final class Side {
    private final Optional<Counter> counter;
    private final AtomicLong started = new AtomicLong();
    private final AtomicLong completed = new AtomicLong();
    private final AtomicReference<Floor> floor =
        new AtomicReference<>(new Floor(0, 0, Floor.NONE, 0));

    Side(Optional<Counter> counter) {
      this.counter = counter;
    }

    /** Adds a sample to its epoch; the port was read before this call. */
    void raise(long epoch, long port) {
      long value = port - started.get();
      floor.updateAndGet(
          now ->
              now.epoch == epoch
                  ? new Floor(
                      epoch, now.deficitEpoch, Math.max(now.value, value), Math.max(now.port, port))
                  : now);
    }

    /** Ends an epoch; false if another thread already has. */
    boolean startAnew(long epoch, long port, boolean deficit) {
      long value = port - started.get();
      Floor next;
      Floor now;
      do {
        now = floor.get();
        if (now.epoch != epoch) {
          return false;
        }
        next = new Floor(epoch + 1, deficit ? epoch + 1 : now.deficitEpoch, value, port);
      } while (!floor.compareAndSet(now, next));
      return true;
    }
  }

  /** Sleeps at least {@code time}; an interrupt is kept for the caller, the bound being small. */
  private static void sleep(Duration time) {
    long deadline = System.nanoTime() + time.toNanos();
    boolean interrupted = false;
    long left = time.toNanos();
    while (left > 0) {
      try {
        Thread.sleep(Duration.ofNanos(left));
      } catch (InterruptedException e) {
        interrupted = true;
      }
      left = deadline - System.nanoTime();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
