package io.s3rdma.counters;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * A port with one packet counter for each direction and the kernel's cache, on a clock that only
 * sleeping moves. Not thread safe.
 */
final class FakePort implements PortWitness.Source, PortWitness.Pause {
  private final long lifespanMillis;
  private long nowMillis = 1_000;
  private long cachedAtMillis = Long.MIN_VALUE / 2;
  private long sent;
  private long received;
  private long cachedSent;
  private long cachedReceived;
  private boolean absent;
  private long sleptMillis;

  FakePort(long lifespanMillis) {
    this.lifespanMillis = lifespanMillis;
  }

  @Override
  public OptionalLong read(Counter counter) {
    if (absent) {
      return OptionalLong.empty();
    }
    if (cachedAtMillis + lifespanMillis < nowMillis) {
      cachedAtMillis = nowMillis;
      cachedSent = sent;
      cachedReceived = received;
    }
    return switch (counter) {
      case SENT_PKTS -> OptionalLong.of(cachedSent);
      case RCVD_PKTS -> OptionalLong.of(cachedReceived);
      default -> OptionalLong.empty();
    };
  }

  @Override
  public Duration freshAfter(Counter counter) {
    return Duration.ofMillis(lifespanMillis + 1);
  }

  @Override
  public void sleep(Duration time) {
    nowMillis += time.toMillis();
    sleptMillis += time.toMillis();
  }

  void send(long packets) {
    sent += packets;
  }

  void receive(long packets) {
    received += packets;
  }

  void reset() {
    sent = 0;
    received = 0;
  }

  void vanish() {
    absent = true;
  }

  /** Time passes outside the witness. */
  void pass(long millis) {
    nowMillis += millis;
  }

  long sleptMillis() {
    return sleptMillis;
  }
}
