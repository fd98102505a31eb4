package io.s3rdma.counters;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.counters.PortEvidence.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random interleavings of overlapping transfers on one thread, against an oracle that knows every
 * packet: honest runs are never contradicted, and the close that leaves the port quiet contradicts
 * if packets are missing since the port was quiet before.
 */
final class PortWitnessModelTest {
  private static final int STEPS = 20_000;
  private static final int OPEN_MAX = 6;

  /** One transfer of the run. */
  private static final class Transfer {
    final PortWitness.Bracket bracket;
    final int packets;
    int unsent;

    Transfer(PortWitness.Bracket bracket, int packets) {
      this.bracket = bracket;
      this.packets = packets;
      this.unsent = packets;
    }
  }

  private final FakePort port = new FakePort(-1);
  private final PortWitness witness = new PortWitness(port, port);
  private final List<Transfer> open = new ArrayList<>();

  /** Packets that did not travel since the port was last quiet or contradicted. */
  private long missing;

  /** Whether the port was quiet since the last contradiction, so that the floor is exact. */
  private boolean exact = true;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void shouldNeverContradictWhenRunIsHonest(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < STEPS; i++) {
      int dice = random.nextInt(100);
      if (open.isEmpty() || (dice < 25 && open.size() < OPEN_MAX)) {
        begin(random);
      } else if (dice < 70) {
        send(random);
      } else if (dice < 75) {
        open.remove(random.nextInt(open.size())).bracket.abandon();
      } else if (dice < 80) {
        port.send(random.nextInt(50)); // another process
      } else {
        Transfer done = open.remove(random.nextInt(open.size()));
        port.send(done.unsent);
        assertThat(done.bracket.close().finding()).as("step %d", i).isEqualTo(Finding.HOLDS);
      }
    }
    assertThat(witness.contradictions()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void shouldContradictWhenQuietPortIsShort(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < STEPS; i++) {
      int dice = random.nextInt(100);
      if (open.isEmpty() || (dice < 25 && open.size() < OPEN_MAX)) {
        begin(random);
      } else if (dice < 60) {
        send(random);
      } else {
        end(random, i);
      }
    }
    assertThat(witness.contradictions()).isGreaterThan(10);
  }

  private void end(Random random, int step) {
    Transfer done = open.remove(random.nextInt(open.size()));
    if (random.nextInt(20) == 0) {
      missing += done.unsent;
    } else {
      port.send(done.unsent);
    }
    long before = witness.contradictions();
    Finding finding = done.bracket.close().finding();
    boolean contradicted = witness.contradictions() > before;
    if (contradicted) {
      assertThat(missing).as("step %d: packets are missing", step).isPositive();
      assertThat(finding).isEqualTo(Finding.BELOW);
      missing = 0;
      exact = false;
    } else if (open.isEmpty() && missing > 0 && exact) {
      assertThat(finding).as("step %d: a quiet close tells", step).isEqualTo(Finding.BELOW);
    }
    if (open.isEmpty()) {
      missing = 0;
      exact = true;
    }
  }

  private void begin(Random random) {
    int packets = random.nextInt(100);
    open.add(new Transfer(witness.open(Direction.WRITE, packets, packets * 4096L), packets));
  }

  private void send(Random random) {
    Transfer transfer = open.get(random.nextInt(open.size()));
    int part = random.nextInt(transfer.unsent + 1);
    port.send(part);
    transfer.unsent -= part;
    assertThat(transfer.unsent).isBetween(0, transfer.packets);
  }
}
