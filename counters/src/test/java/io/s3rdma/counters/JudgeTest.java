package io.s3rdma.counters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** P-5.1 to P-5.4 as a table of facts and verdicts. */
final class JudgeTest {
  private static final long MIB = 1 << 20;

  @ParameterizedTest
  @CsvSource({
    "0, 4096, 0",
    "1, 4096, 1",
    "4096, 4096, 1",
    "4097, 4096, 2",
    "65536, 4096, 16",
    "1048576, 1024, 1024",
    "5000000, 4096, 1221",
    "9223372036854775807, 256, 36028797018963968",
  })
  void shouldRoundUpWhenPacketsAreCounted(long bytes, int mtu, long packets) { // P-5.1
    assertThat(Judge.packetsFor(bytes, mtu)).isEqualTo(packets);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 262144, 4096, 0",
    "1048576, 262144, 4096, 256",
    "1048577, 262144, 4096, 257",
    "10000, 5000, 4096, 4", // two packets for each chunk, where one request would need three
    "10, 100, 4096, 1",
  })
  void shouldSumChunksWhenTransferIsCut(long bytes, long chunk, int mtu, long packets) { // P-5.1
    assertThat(Judge.packetsFor(bytes, chunk, mtu)).isEqualTo(packets);
  }

  @Test
  void shouldRefuseWhenFiguresAreImpossible() {
    assertThatThrownBy(() -> Judge.packetsFor(-1, 4096))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Judge.packetsFor(1, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Judge.packetsFor(-100, 100, 4096))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Judge.packetsFor(1, 0, 4096))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> write(0, 0, 1, 0, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> write(1, 1, 0, 0, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> write(1, 1, 1, 0, 1 << 24))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldBeExactWhenSequenceNumbersAndCompletionsAgree() { // P-5.4
    Judgement judgement = Judge.judge(write(MIB, MIB, 256, 100, 356), sent(256));

    assertThat(judgement.verdict()).isEqualTo(Verdict.EXACT);
    assertThat(judgement.packetsCounted()).hasValue(256);
    assertThat(judgement.packetsStated()).isEqualTo(256);
    assertThat(judgement.portPackets()).hasValue(256);
  }

  @Test
  void shouldBeExactWhenSequenceNumbersWrapAround() { // P-5.1, modulo 2^24
    Judgement judgement = Judge.judge(write(MIB, MIB, 256, 0xffffff, 255), sent(256));

    assertThat(judgement.verdict()).isEqualTo(Verdict.EXACT);
  }

  @Test
  void shouldBeExactWhenPortCannotBeAsked() { // P-5.3 does not contradict
    Judgement judgement = Judge.judge(write(MIB, MIB, 256, 0, 256), Optional.empty());

    assertThat(judgement.verdict()).isEqualTo(Verdict.EXACT);
    assertThat(judgement.portPackets()).isEmpty();
    assertThat(judgement.reason()).contains("not read");
  }

  @Test
  void shouldBeExactWhenNothingWasAsked() { // P-4.4
    assertThat(Judge.judge(write(0, 0, 0, 7, 7), sent(0)).verdict()).isEqualTo(Verdict.EXACT);
    assertThat(Judge.judge(write(0, 0, 0, 7, 8), sent(0)).verdict())
        .isEqualTo(Verdict.CONTRADICTED);
  }

  @Test
  void shouldSayRetransmissionWhenPortSawMore() { // P-5.3
    Optional<CounterDelta> port =
        delta(Map.of(Counter.SENT_PKTS, 4366L, Counter.COMPLETER_RETRY_ERR, 9L));

    Judgement judgement = Judge.judge(write(10 * MIB, 10 * MIB, 2560, 0, 2560), port);

    assertThat(judgement.verdict()).isEqualTo(Verdict.EXACT);
    assertThat(judgement.portPackets()).hasValue(4366);
    assertThat(judgement.reason()).contains("9 signs of retransmission");
  }

  @ParameterizedTest
  @CsvSource({"1048576, 1048575", "1048576, 0", "1048576, 1048577", "0, 1"})
  void shouldBeContradictedWhenCompletionsDiffer(long asked, long completed) { // P-5.2
    long packets = Judge.packetsFor(asked, 4096);

    Judgement judgement =
        Judge.judge(write(asked, completed, packets, 0, (int) packets), sent(packets));

    assertThat(judgement.verdict()).isEqualTo(Verdict.CONTRADICTED);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "0, 255", "0, 257", "256, 0"})
  void shouldBeContradictedWhenSequenceNumbersDiffer(int before, int after) { // P-5.1
    Judgement judgement = Judge.judge(write(MIB, MIB, 256, before, after), sent(256));

    assertThat(judgement.verdict()).isEqualTo(Verdict.CONTRADICTED);
    assertThat(judgement.packetsExpected()).isEqualTo(256);
  }

  @Test
  void shouldBeContradictedWhenPortSawFewer() { // P-5.3
    Judgement judgement = Judge.judge(write(MIB, MIB, 256, 0, 256), sent(255));

    assertThat(judgement.verdict()).isEqualTo(Verdict.CONTRADICTED);
    assertThat(judgement.reason()).contains("sent_pkts moved by 255, at least 256");
  }

  @Test
  void shouldBeAtLeastWhenOnlyThePortCanBeAsked() { // P-5.4
    Judgement judgement = Judge.judge(noPsn(Direction.WRITE, MIB, 256), sent(300));

    assertThat(judgement.verdict()).isEqualTo(Verdict.AT_LEAST);
    assertThat(judgement.packetsCounted()).isEmpty();
    assertThat(judgement.packetsStated()).isEqualTo(256);
  }

  @Test
  void shouldBeContradictedWhenOnlyThePortCanBeAskedAndSawFewer() {
    assertThat(Judge.judge(noPsn(Direction.WRITE, MIB, 256), sent(0)).verdict())
        .isEqualTo(Verdict.CONTRADICTED);
  }

  @Test
  void shouldBeUnavailableWhenNothingCanBeRead() { // P-5.4: never upgraded
    Judgement judgement = Judge.judge(noPsn(Direction.READ, MIB, 256), Optional.empty());

    assertThat(judgement.verdict()).isEqualTo(Verdict.UNAVAILABLE);
    assertThat(judgement.packetsStated()).isZero();
    // The port counts only the other direction: as good as none.
    assertThat(Judge.judge(noPsn(Direction.READ, MIB, 256), sent(256)).verdict())
        .isEqualTo(Verdict.UNAVAILABLE);
  }

  @Test
  void shouldTreatPsnAsUnreadWhenOneSideIsMissing() {
    LedgerFacts facts =
        new LedgerFacts(
            Direction.WRITE, MIB, MIB, 256, OptionalInt.of(0), OptionalInt.empty(), false);

    assertThat(Judge.judge(facts, sent(256)).verdict()).isEqualTo(Verdict.AT_LEAST);
  }

  @Test
  void shouldNotBeExactWhenSequenceNumbersMayHaveWrapped() { // P-5.1
    long packets = (1 << 24) + 5L;
    LedgerFacts facts = write(packets * 4096, packets * 4096, packets, 0, 5);

    assertThat(Judge.judge(facts, sent(packets)).verdict()).isEqualTo(Verdict.AT_LEAST);
    assertThat(Judge.judge(facts, Optional.empty()).verdict()).isEqualTo(Verdict.UNAVAILABLE);
    LedgerFacts wrong = write(packets * 4096, packets * 4096, packets, 0, 6);
    assertThat(Judge.judge(wrong, sent(packets)).verdict()).isEqualTo(Verdict.CONTRADICTED);
  }

  @Test
  void shouldSayWindowWhenTransfersOverlapped() {
    LedgerFacts facts =
        new LedgerFacts(
            Direction.WRITE, MIB, MIB, 256, OptionalInt.of(0), OptionalInt.of(256), true);

    assertThat(Judge.judge(facts, sent(9999)).reason()).contains("shared");
  }

  @ParameterizedTest
  @CsvSource({
    "SENT_BYTES, 1048576, EXACT",
    "SENT_BYTES, 1048575, CONTRADICTED",
    "PORT_XMIT_DATA, 262144, EXACT", // 4-octet words
    "PORT_XMIT_DATA, 262143, CONTRADICTED",
    "PORT_XMIT_PACKETS, 256, EXACT",
    "PORT_XMIT_PACKETS, 255, CONTRADICTED",
    "RDMA_SENDS, 0, EXACT", // no witness: stays 0 for WRITE
  })
  void shouldConvertUnitsWhenWitnessCountsOtherThings(
      Counter counter, long moved, Verdict verdict) {
    Optional<CounterDelta> port = delta(Map.of(counter, moved));

    assertThat(Judge.judge(write(MIB, MIB, 256, 0, 256), port).verdict()).isEqualTo(verdict);
  }

  @Test
  void shouldLookAtReceivedPacketsWhenDirectionIsRead(@TempDir Path root) { // P-5.3
    FakeSysfs rxe = FakeSysfs.rxe(root);
    CounterSnapshot before = rxe.reader().snapshot();
    rxe.hw("sent_pkts", 10).hw("rcvd_pkts", 2560);
    CounterSnapshot after = rxe.reader().snapshot();
    Optional<CounterDelta> port = Optional.of(CounterDelta.between(before, after));

    assertThat(Judge.judge(noPsn(Direction.READ, 10 * MIB, 2560), port).verdict())
        .isEqualTo(Verdict.AT_LEAST);
    assertThat(Judge.judge(noPsn(Direction.WRITE, 10 * MIB, 2560), port).verdict())
        .isEqualTo(Verdict.CONTRADICTED);
  }

  @ParameterizedTest
  @EnumSource(Verdict.class)
  void shouldRoundTripWhenVerdictIsWritten(Verdict verdict) { // P-5.5
    assertThat(Verdict.ofWireText(verdict.wireText())).contains(verdict);
  }

  @Test
  void shouldMatchContractWhenVerdictsAreListed() { // P-5.4
    assertThat(Verdict.values())
        .extracting(Verdict::wireText)
        .containsExactly("exact", "at-least", "contradicted", "unavailable");
    assertThat(Verdict.ofWireText("EXACT")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(PortEvidence.Finding.class)
  void shouldFollowThePortWhenItWasAskedByAWitness(PortEvidence.Finding finding) {
    PortEvidence port = new PortEvidence(finding, OptionalLong.of(9), "said the port");

    assertThat(Judge.judge(noPsn(Direction.WRITE, MIB, 256), port).verdict())
        .isEqualTo(
            switch (finding) {
              case HOLDS -> Verdict.AT_LEAST;
              case BELOW -> Verdict.CONTRADICTED;
              case UNKNOWN -> Verdict.UNAVAILABLE;
            });
  }

  private static LedgerFacts write(
      long asked, long completed, long packets, int psnBefore, int psnAfter) {
    return new LedgerFacts(
        Direction.WRITE,
        asked,
        completed,
        packets,
        OptionalInt.of(psnBefore),
        OptionalInt.of(psnAfter),
        false);
  }

  private static LedgerFacts noPsn(Direction direction, long bytes, long packets) {
    return new LedgerFacts(
        direction, bytes, bytes, packets, OptionalInt.empty(), OptionalInt.empty(), false);
  }

  private static Optional<CounterDelta> sent(long packets) {
    return delta(Map.of(Counter.SENT_PKTS, packets));
  }

  private static Optional<CounterDelta> delta(Map<Counter, Long> moved) {
    Map<Counter, Long> before = new java.util.EnumMap<>(moved);
    before.replaceAll((counter, value) -> 0L);
    return Optional.of(
        CounterDelta.between(CounterSnapshot.of(0, before), CounterSnapshot.of(1, moved)));
  }
}
