package io.s3rdma.counters;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What moved between two snapshots of one port. Immutable, for any thread.
 *
 * <p>A counter that is absent on either side is absent here. A step backwards is a wrap for
 * counters of 8 to 32 bits; a 64-bit counter never wraps in practice, so there it means that the
 * device was reset, which proves nothing: absent.
 */
public final class CounterDelta {
  private final Map<Counter, Long> moved;

  private CounterDelta(Map<Counter, Long> moved) {
    this.moved = moved;
  }

  public static CounterDelta between(CounterSnapshot before, CounterSnapshot after) {
    Map<Counter, Long> moved = new EnumMap<>(Counter.class);
    for (Counter counter : before.counters()) {
      OptionalLong end = after.value(counter);
      if (end.isPresent()) {
        long start = before.value(counter).orElseThrow();
        step(counter, start, end.getAsLong()).ifPresent(step -> moved.put(counter, step));
      }
    }
    return new CounterDelta(Collections.unmodifiableMap(moved));
  }

  /** Distance from {@code start} to {@code end}, in the counter's width; empty after a reset. */
  static OptionalLong step(Counter counter, long start, long end) {
    int width = counter.widthBits();
    if (width < 64 && start >>> width == 0 && end >>> width == 0) {
      long mask = (1L << width) - 1;
      return OptionalLong.of((end - start) & mask);
    }
    long step = end - start;
    return step < 0 ? OptionalLong.empty() : OptionalLong.of(step);
  }

  /** Steps in the counter's unit, 0 or more; empty where it is unknown. */
  public OptionalLong moved(Counter counter) {
    Long step = moved.get(counter);
    return step == null ? OptionalLong.empty() : OptionalLong.of(step);
  }

  /** The counters whose movement is known. */
  public Set<Counter> counters() {
    return moved.keySet();
  }

  /** The best present witness of a transfer in this direction; empty if there is none. */
  public Optional<Counter> witness(Direction direction) {
    return Counter.witnesses(direction).stream().filter(moved::containsKey).findFirst();
  }

  /**
   * Signs of packets that travelled more than once; while 0, packet counts can be taken as they
   * are. Empty where the device tells none of them.
   */
  public OptionalLong retransmissions() {
    long sum = 0;
    boolean any = false;
    for (Counter counter : Counter.retransmission()) {
      Long step = moved.get(counter);
      if (step != null) {
        sum += step;
        any = true;
      }
    }
    return any ? OptionalLong.of(sum) : OptionalLong.empty();
  }

  @Override
  public String toString() {
    return "CounterDelta" + moved;
  }
}
