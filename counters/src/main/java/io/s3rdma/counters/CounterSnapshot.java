package io.s3rdma.counters;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Values of one port at one moment. Immutable, for any thread. A value read from {@code
 * hw_counters} may be older than {@link #nanoTime()} by {@link CounterReader#freshAfter()}.
 */
public final class CounterSnapshot {
  private final long nanoTime;
  private final Map<Counter, Long> values;

  private CounterSnapshot(long nanoTime, Map<Counter, Long> values) {
    this.nanoTime = nanoTime;
    this.values = values;
  }

  /**
   * @param nanoTime {@link System#nanoTime()} before the first value was read
   * @param values unsigned; copied
   */
  public static CounterSnapshot of(long nanoTime, Map<Counter, Long> values) {
    Map<Counter, Long> copy = new EnumMap<>(Counter.class);
    copy.putAll(values);
    return new CounterSnapshot(nanoTime, Collections.unmodifiableMap(copy));
  }

  public long nanoTime() {
    return nanoTime;
  }

  /** The unsigned value in the counter's unit; empty where the device does not have it. */
  public OptionalLong value(Counter counter) {
    Long value = values.get(counter);
    return value == null ? OptionalLong.empty() : OptionalLong.of(value);
  }

  /** The counters that are present. */
  public Set<Counter> counters() {
    return values.keySet();
  }

  @Override
  public String toString() {
    return "CounterSnapshot" + values;
  }
}
