package io.s3rdma.server.evidence;

import io.s3rdma.counters.CounterReader;
import io.s3rdma.counters.CounterSnapshot;
import io.s3rdma.counters.Direction;
import io.s3rdma.counters.Judge;
import io.s3rdma.counters.Judgement;
import io.s3rdma.counters.LedgerFacts;
import io.s3rdma.counters.PortEvidence;
import io.s3rdma.counters.PortWitness;
import io.s3rdma.counters.Verdict;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;

/**
 * The evidence of one rail. Thread-safe: any number of brackets overlap; per transfer one or two
 * sequence number queries and two counter reads, nothing per completion.
 */
public final class Evidence implements AutoCloseable {
  private final CounterReader reader;
  private final PortWitness witness;
  private final Map<Verdict, LongAdder> verdicts = new EnumMap<>(Verdict.class);

  private Evidence(CounterReader reader) {
    this.reader = reader;
    this.witness = new PortWitness(reader);
    for (Verdict verdict : Verdict.values()) {
      verdicts.put(verdict, new LongAdder());
    }
  }

  /**
   * Evidence over a device port's counters.
   *
   * @param countersRoot /sys/class/infiniband, or a folder of the same form in tests
   */
  public static Evidence ofPort(Path countersRoot, String device, int port) {
    CounterReader reader = new CounterReader(countersRoot, device, port);
    // Root may switch the kernel's cache off; else the witness waits for fresh values.
    reader.disableCaching();
    return new Evidence(reader);
  }

  /** One transfer between its first post and its last completion. */
  public final class Bracket {
    private final Direction direction;
    private final long bytes;
    private final long packets;
    private final IntSupplier psnAtEnd;
    private final OptionalInt psnBefore;
    private final PortWitness.Bracket port;

    private Bracket(
        Direction direction,
        long bytes,
        long packets,
        IntSupplier psnAtStart,
        IntSupplier psnAtEnd) {
      this.direction = direction;
      this.bytes = bytes;
      this.packets = packets;
      this.psnAtEnd = psnAtEnd;
      this.psnBefore = read(psnAtStart);
      this.port = witness.open(direction, packets, bytes);
    }

    /** All completions succeeded: judges, and counts the verdict. */
    public Judgement judge(long bytesCompleted) {
      OptionalInt psnAfter = read(psnAtEnd);
      PortEvidence seen = port.close();
      Judgement judgement =
          Judge.judge(
              new LedgerFacts(direction, bytes, bytesCompleted, packets, psnBefore, psnAfter, true),
              seen);
      verdicts.get(judgement.verdict()).increment();
      return judgement;
    }

    /** The transfer failed: there is nothing to prove. No effect after {@link #judge}. */
    public void abandon() {
      port.abandon();
    }

    private static OptionalInt read(IntSupplier psn) {
      try {
        return OptionalInt.of(psn.getAsInt());
      } catch (RuntimeException e) {
        return OptionalInt.empty(); // P-5.4: said by the verdict, never upgraded
      }
    }
  }

  /**
   * Opens a bracket; call before the first post.
   *
   * @param psnAtStart the queue pair's 24-bit send PSN before the first post: as the device has it,
   *     or had it after the last post before
   * @param psnAtEnd the same after the last completion, as the device has it
   */
  public Bracket open(
      Direction direction,
      long bytes,
      int chunkBytes,
      int mtuBytes,
      IntSupplier psnAtStart,
      IntSupplier psnAtEnd) {
    long packets = Judge.packetsFor(bytes, chunkBytes, mtuBytes);
    return new Bracket(direction, bytes, packets, psnAtStart, psnAtEnd);
  }

  /** Judged transfers by verdict since the start. */
  public long count(Verdict verdict) {
    return verdicts.get(verdict).sum();
  }

  /** The port's counters now, whoever moved them; empty where it has none. */
  public CounterSnapshot port() {
    return reader.snapshot();
  }

  /** Windows in which the port saw less than the ledger, since the start. */
  public long portContradictions() {
    return witness.contradictions();
  }

  /** After the last transfer. */
  @Override
  public void close() {
    witness.close();
  }
}
