package io.s3rdma.counters;

import io.s3rdma.counters.PortEvidence.Finding;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The rules of P-5.1 to P-5.4 as pure functions. Nothing is read here, nothing is remembered; safe
 * for any thread.
 */
public final class Judge {
  private Judge() {}

  /**
   * Packets of one work request: ceil(bytes/mtu). 0 for 0 bytes, since none is posted then (P-4.4).
   *
   * @throws IllegalArgumentException if {@code bytes} is negative or {@code mtu} below 1
   */
  public static long packetsFor(long bytes, int mtu) {
    if (bytes < 0 || mtu < 1) {
      throw new IllegalArgumentException(bytes + " bytes at MTU " + mtu);
    }
    return bytes == 0 ? 0 : (bytes - 1) / mtu + 1;
  }

  /**
   * Packets of a transfer that is cut into work requests of {@code chunkBytes} and a shorter rest.
   *
   * @throws IllegalArgumentException if {@code bytes} is negative, another figure below 1
   */
  public static long packetsFor(long bytes, long chunkBytes, int mtu) {
    if (bytes < 0 || chunkBytes < 1) {
      throw new IllegalArgumentException(bytes + " bytes in chunks of " + chunkBytes);
    }
    long whole = bytes / chunkBytes;
    return whole * packetsFor(chunkBytes, mtu) + packetsFor(bytes % chunkBytes, mtu);
  }

  /**
   * The verdict on a transfer whose port was read before and after it.
   *
   * @param delta between two fresh snapshots, the second taken after the last completion; a cached
   *     one would contradict falsely. Where that is not sure, use {@link PortWitness}
   */
  public static Judgement judge(LedgerFacts facts, Optional<CounterDelta> delta) {
    return judge(
        facts,
        delta
            .map(d -> portEvidence(facts, d))
            .orElseGet(() -> PortEvidence.unknown("port counters were not read")));
  }

  /** The verdict on a transfer, given what the port says. */
  public static Judgement judge(LedgerFacts facts, PortEvidence port) {
    OptionalLong counted = psnDelta(facts);
    if (facts.bytesCompleted() != facts.bytesAsked()) { // P-5.2
      return new Judgement(
          Verdict.CONTRADICTED,
          facts.packetsExpected(),
          counted,
          port.packets(),
          "completions carry %d bytes of %d".formatted(facts.bytesCompleted(), facts.bytesAsked()));
    }
    long expected = facts.packetsExpected();
    if (counted.isPresent() && counted.getAsLong() != expected % LedgerFacts.PSN_SPACE) { // P-5.1
      return new Judgement(
          Verdict.CONTRADICTED,
          expected,
          counted,
          port.packets(),
          "sequence numbers moved by %d, expected %d".formatted(counted.getAsLong(), expected));
    }
    if (port.finding() == Finding.BELOW) { // P-5.3
      return new Judgement(Verdict.CONTRADICTED, expected, counted, port.packets(), port.reason());
    }
    boolean wrapped = expected >= LedgerFacts.PSN_SPACE;
    if (counted.isPresent() && !wrapped) {
      return new Judgement(Verdict.EXACT, expected, counted, port.packets(), port.reason());
    }
    String psn = wrapped ? "sequence numbers may have wrapped; " : "no sequence numbers; ";
    boolean holds = port.finding() == Finding.HOLDS;
    return new Judgement( // P-5.4
        holds ? Verdict.AT_LEAST : Verdict.UNAVAILABLE,
        expected,
        OptionalLong.empty(),
        port.packets(),
        psn + port.reason());
  }

  private static OptionalLong psnDelta(LedgerFacts facts) {
    if (facts.psnBefore().isEmpty() || facts.psnAfter().isEmpty()) {
      return OptionalLong.empty();
    }
    int step = facts.psnAfter().getAsInt() - facts.psnBefore().getAsInt();
    return OptionalLong.of(step & (LedgerFacts.PSN_SPACE - 1));
  }

  private static PortEvidence portEvidence(LedgerFacts facts, CounterDelta delta) {
    Optional<Counter> witness = delta.witness(facts.direction());
    if (witness.isEmpty()) {
      return PortEvidence.unknown("the port has no counter for this direction");
    }
    Counter counter = witness.get();
    long moved = delta.moved(counter).orElseThrow();
    long least = counter.least(facts.packetsExpected(), facts.bytesAsked());
    OptionalLong packets =
        counter.unit() == Unit.PACKETS ? OptionalLong.of(moved) : OptionalLong.empty();
    String reason =
        "%s moved by %d, at least %d expected".formatted(counter.fileName(), moved, least);
    if (moved < least) {
      return new PortEvidence(Finding.BELOW, packets, reason);
    }
    long again = delta.retransmissions().orElse(0);
    return new PortEvidence(
        Finding.HOLDS,
        packets,
        reason
            + (again > 0 ? ", " + again + " signs of retransmission" : "")
            + (facts.overlapped() ? ", in a window shared with other transfers" : ""));
  }
}
