package io.s3rdma.counters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.counters.PortEvidence.Finding;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The window proof of P-5.3 on a clock of its own. */
final class PortWitnessTest {
  private final FakePort port = new FakePort(-1); // never cached
  private final PortWitness witness = new PortWitness(port, port);

  @Test
  void shouldHoldWithoutWaitingWhenPortSawAll() {
    PortWitness.Bracket bracket = witness.open(Direction.WRITE, 256, 1 << 20);
    port.send(256);

    PortEvidence evidence = bracket.close();

    assertThat(evidence.finding()).isEqualTo(Finding.HOLDS);
    assertThat(evidence.packets()).hasValue(256);
    assertThat(port.sleptMillis()).isZero();
  }

  @Test
  void shouldLookAtReceivedPacketsWhenDirectionIsRead() {
    PortWitness.Bracket bracket = witness.open(Direction.READ, 256, 1 << 20);
    port.send(9_999);
    assertThat(bracket.close().finding()).isEqualTo(Finding.BELOW);

    bracket = witness.open(Direction.READ, 256, 1 << 20);
    port.receive(256);
    assertThat(bracket.close().finding()).isEqualTo(Finding.HOLDS);
  }

  @Test
  void shouldContradictOnlyAfterReReadWhenPortSawFewer() {
    PortWitness.Bracket bracket = witness.open(Direction.WRITE, 256, 1 << 20);
    port.send(255);

    PortEvidence evidence = bracket.close();

    assertThat(evidence.finding()).isEqualTo(Finding.BELOW);
    assertThat(evidence.reason()).contains("sent_pkts", "1 too few");
    assertThat(port.sleptMillis()).isBetween(10L, 12L);
    assertThat(witness.contradictions()).isEqualTo(1);
  }

  @Test
  void shouldHoldWhenCountersLagBehindCompletion() { // rxe counts after sending
    PortWitness late =
        new PortWitness(
            port,
            time -> {
              port.sleep(time);
              if (port.sleptMillis() == 4) {
                port.send(1);
              }
            });
    PortWitness.Bracket bracket = late.open(Direction.WRITE, 256, 1 << 20);
    port.send(255);

    assertThat(bracket.close().finding()).isEqualTo(Finding.HOLDS);
    assertThat(port.sleptMillis()).isEqualTo(4);
    assertThat(late.contradictions()).isZero();
  }

  @Test
  void shouldWaitOutTheCacheWhenReadIsStale() {
    FakePort cached = new FakePort(12);
    PortWitness lazy = new PortWitness(cached, cached);
    PortWitness.Bracket bracket = lazy.open(Direction.WRITE, 256, 1 << 20);
    cached.pass(1);
    cached.send(256);

    assertThat(bracket.close().finding()).isEqualTo(Finding.HOLDS);
    assertThat(cached.sleptMillis()).isBetween(12L, 14L);
  }

  @Test
  void shouldNotCountPredecessorWhenOpeningReadIsStale() {
    FakePort cached = new FakePort(12);
    PortWitness lazy = new PortWitness(cached, cached);
    PortWitness.Bracket honest = lazy.open(Direction.WRITE, 100, 400_000);
    cached.pass(20); // longer than the cache lives
    assertThat(lazy.open(Direction.WRITE, 0, 0).close().finding()).isEqualTo(Finding.HOLDS);
    cached.send(100);
    assertThat(honest.close().finding()).isEqualTo(Finding.HOLDS);

    PortWitness.Bracket liar = lazy.open(Direction.WRITE, 50, 200_000);

    assertThat(liar.close().finding()).isEqualTo(Finding.BELOW);
  }

  @Test
  void shouldNotBlameWhenAnotherTransferBeganEarlier() {
    PortWitness.Bracket early = witness.open(Direction.WRITE, 1_000, 4_000_000);
    port.send(900);
    PortWitness.Bracket late = witness.open(Direction.WRITE, 10, 40_000);
    port.send(110);

    assertThat(early.close().finding()).isEqualTo(Finding.HOLDS);
    assertThat(late.close().finding()).isEqualTo(Finding.HOLDS);
  }

  @Test
  void shouldFindMissingPacketsWhenOverlappingTransfersHideThem() {
    PortWitness.Bracket honest = witness.open(Direction.WRITE, 1_000, 4_000_000);
    PortWitness.Bracket liar = witness.open(Direction.WRITE, 10, 40_000);
    port.send(1_000); // alone enough for a plain delta of either

    assertThat(liar.close().finding()).isEqualTo(Finding.HOLDS); // not decided yet
    assertThat(honest.close().finding()).isEqualTo(Finding.BELOW); // the window's last close is
    assertThat(witness.contradictions()).isEqualTo(1);
  }

  @Test
  void shouldBlameWholeWindowWhenContradicted() {
    PortWitness.Bracket first = witness.open(Direction.WRITE, 10, 40_000);
    PortWitness.Bracket second = witness.open(Direction.WRITE, 20, 80_000);

    assertThat(first.close().finding()).isEqualTo(Finding.BELOW);
    port.send(30);
    PortEvidence evidence = second.close();

    assertThat(evidence.finding()).isEqualTo(Finding.BELOW);
    assertThat(evidence.reason()).contains("shared");
    assertThat(witness.contradictions()).as("one window").isEqualTo(1);
  }

  @Test
  void shouldJudgeAfreshWhenContradictionIsOver() {
    assertThat(witness.open(Direction.WRITE, 10, 40_000).close().finding())
        .isEqualTo(Finding.BELOW);

    PortWitness.Bracket honest = witness.open(Direction.WRITE, 10, 40_000);
    port.send(10);
    assertThat(honest.close().finding()).isEqualTo(Finding.HOLDS);
    assertThat(witness.open(Direction.WRITE, 1, 1).close().finding()).isEqualTo(Finding.BELOW);
    assertThat(witness.contradictions()).isEqualTo(2);
  }

  @Test
  void shouldForgetWhenTransferIsAbandoned() {
    PortWitness.Bracket failed = witness.open(Direction.WRITE, 1_000, 4_000_000);
    port.send(3);
    failed.abandon();
    failed.abandon();

    PortWitness.Bracket honest = witness.open(Direction.WRITE, 10, 40_000);
    port.send(10);
    assertThat(honest.close().finding()).isEqualTo(Finding.HOLDS);
    assertThat(witness.open(Direction.WRITE, 1, 1).close().finding()).isEqualTo(Finding.BELOW);
  }

  @Test
  void shouldDoNothingWhenAbandonedAfterClose() {
    PortWitness.Bracket bracket = witness.open(Direction.WRITE, 10, 40_000);
    port.send(10);
    bracket.close();
    bracket.abandon();

    assertThatThrownBy(bracket::close).isInstanceOf(IllegalStateException.class);
    assertThat(witness.open(Direction.WRITE, 1, 1).close().finding()).isEqualTo(Finding.BELOW);
  }

  @Test
  void shouldBeUnknownWhenCounterStepsBack() {
    port.send(500);
    PortWitness.Bracket across = witness.open(Direction.WRITE, 10, 40_000);
    PortWitness.Bracket other = witness.open(Direction.WRITE, 10, 40_000);
    port.reset();
    port.send(20);

    assertThat(across.close().finding()).isEqualTo(Finding.UNKNOWN);
    assertThat(other.close().finding()).isEqualTo(Finding.UNKNOWN);
    PortWitness.Bracket after = witness.open(Direction.WRITE, 10, 40_000);
    port.send(10);
    assertThat(after.close().finding()).isEqualTo(Finding.HOLDS);
    assertThat(witness.contradictions()).isZero();
  }

  @Test
  void shouldBeUnknownWhenCounterVanishes() {
    PortWitness.Bracket bracket = witness.open(Direction.WRITE, 10, 40_000);
    port.vanish();

    assertThat(bracket.close().finding()).isEqualTo(Finding.UNKNOWN);
  }

  @Test
  void shouldBeUnknownWhenPortNeverHadCounters(@TempDir Path root) {
    PortWitness none = new PortWitness(new CounterReader(root, "mlx5_0", 1));

    assertThat(none.open(Direction.READ, 10, 40_000).close().finding()).isEqualTo(Finding.UNKNOWN);
  }

  @Test
  void shouldBeUnknownWhenCacheLivesTooLong() {
    FakePort slow = new FakePort(5_000);
    PortWitness lazy = new PortWitness(slow, slow);

    PortEvidence evidence = lazy.open(Direction.WRITE, 10, 40_000).close();

    assertThat(evidence.finding()).isEqualTo(Finding.UNKNOWN);
    assertThat(slow.sleptMillis()).isZero();
  }

  @Test
  void shouldHoldWhenNothingIsMoved() { // P-4.4
    assertThat(witness.open(Direction.WRITE, 0, 0).close().finding()).isEqualTo(Finding.HOLDS);
  }

  @ParameterizedTest
  @ValueSource(longs = {262_144, 262_143})
  void shouldCountWordsWhenPortHasNoPacketCounter(long words, @TempDir Path root) {
    FakeSysfs mlx5 =
        FakeSysfs.mlx5(root).remove("counters/port_xmit_packets").port("port_xmit_data", 77);
    PortWitness.Bracket bracket =
        new PortWitness(mlx5.reader()).open(Direction.WRITE, 256, 1 << 20);
    mlx5.port("port_xmit_data", 77 + words);

    PortEvidence evidence = bracket.close();

    assertThat(evidence.finding()).isEqualTo(words == 262_144 ? Finding.HOLDS : Finding.BELOW);
    assertThat(evidence.packets()).isEmpty();
  }

  @Test
  void shouldReadFilesWhenDeviceIsRxe(@TempDir Path root) {
    FakeSysfs rxe = FakeSysfs.rxe(root).hw("sent_pkts", 1_000);
    PortWitness.Bracket bracket = new PortWitness(rxe.reader()).open(Direction.WRITE, 256, 1 << 20);
    rxe.hw("sent_pkts", 1_256);

    PortEvidence evidence = bracket.close();

    assertThat(evidence.finding()).isEqualTo(Finding.HOLDS);
    assertThat(evidence.packets()).hasValue(256);
  }

  @Test
  void shouldKeepInterruptWhenContradictionIsConfirmed(@TempDir Path root) {
    PortWitness.Bracket bracket =
        new PortWitness(FakeSysfs.rxe(root).reader()).open(Direction.WRITE, 1, 1);
    Thread.currentThread().interrupt();

    assertThat(bracket.close().finding()).isEqualTo(Finding.BELOW);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void shouldRefuseWhenCountsAreNegative() {
    assertThatThrownBy(() -> witness.open(Direction.WRITE, -1, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
