package io.s3rdma.server.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.counters.Direction;
import io.s3rdma.counters.Judgement;
import io.s3rdma.counters.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Section 5 of the contract, with a port and a queue pair made of files and numbers. */
final class EvidenceTest {
  private static final String DEVICE = "fake0";
  private static final int CHUNK = 16_384;
  private static final int MTU = 4096;
  private static final long BYTES = 2 * CHUNK + 1; // 4 + 4 + 1 packets
  private static final int PACKETS = 9;
  @TempDir private Path root;
  private final AtomicInteger psn = new AtomicInteger(0x100);

  private static int unreadable() {
    throw new IllegalStateException("no such queue pair");
  }

  private void counter(String name, long value) {
    Path file = root.resolve(DEVICE).resolve("ports/1/hw_counters").resolve(name);
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, value + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Evidence withPort() {
    counter("lifespan", 12);
    counter("sent_pkts", 1000);
    counter("rcvd_pkts", 2000);
    return Evidence.ofPort(root, DEVICE, 1);
  }

  private Evidence withoutPort() {
    return Evidence.ofPort(root, DEVICE, 1);
  }

  private static Evidence.Bracket open(Evidence evidence, Direction direction, IntSupplier psn) {
    return evidence.open(direction, BYTES, CHUNK, MTU, psn, psn);
  }

  private static void assertCounted(Evidence evidence, Verdict verdict) {
    for (Verdict each : Verdict.values()) {
      assertThat(evidence.count(each)).as(each.name()).isEqualTo(each == verdict ? 1 : 0);
    }
  }

  @ParameterizedTest
  @CsvSource({"WRITE, sent_pkts, 1009", "READ, rcvd_pkts, 2009"})
  void shouldBeExactWhenPsnAndPortAgree(Direction direction, String name, long after) { // P-5.4
    Evidence evidence = withPort();
    Evidence.Bracket bracket = open(evidence, direction, psn::get);
    psn.addAndGet(PACKETS);
    counter(name, after);
    Judgement judgement = bracket.judge(BYTES);

    assertThat(judgement.verdict()).as(judgement.reason()).isEqualTo(Verdict.EXACT);
    assertThat(judgement.packetsStated()).isEqualTo(PACKETS);
    assertThat(judgement.portPackets()).hasValue(PACKETS);
    assertCounted(evidence, Verdict.EXACT);
  }

  @Test
  void shouldBeExactWhenPsnWraps() { // P-5.1: modulo 2^24
    psn.set(0xfffffc);
    Evidence evidence = withoutPort();
    Evidence.Bracket bracket = open(evidence, Direction.WRITE, psn::get);
    psn.set(5);

    assertThat(bracket.judge(BYTES).verdict()).isEqualTo(Verdict.EXACT);
  }

  @ParameterizedTest
  @CsvSource({"8", "10", "0"})
  void shouldContradictWhenPsnMovedOtherwise(int moved) { // P-5.1
    Evidence evidence = withPort();
    Evidence.Bracket bracket = open(evidence, Direction.WRITE, psn::get);
    psn.addAndGet(moved);
    counter("sent_pkts", 1100);
    Judgement judgement = bracket.judge(BYTES);

    assertThat(judgement.verdict()).isEqualTo(Verdict.CONTRADICTED);
    assertThat(judgement.reason()).contains("moved by " + moved + ", expected " + PACKETS);
    assertCounted(evidence, Verdict.CONTRADICTED);
  }

  @Test
  void shouldContradictWhenCompletionsAreShort() { // P-5.2
    Evidence evidence = withPort();
    Evidence.Bracket bracket = open(evidence, Direction.WRITE, psn::get);
    psn.addAndGet(PACKETS);
    counter("sent_pkts", 1009);

    assertThat(bracket.judge(BYTES - 1).verdict()).isEqualTo(Verdict.CONTRADICTED);
  }

  @Test
  void shouldContradictWhenPortSawLess() { // P-5.3
    Evidence evidence = withPort();
    Evidence.Bracket bracket = open(evidence, Direction.WRITE, psn::get);
    psn.addAndGet(PACKETS);
    counter("sent_pkts", 1008);
    Judgement judgement = bracket.judge(BYTES);

    assertThat(judgement.verdict()).isEqualTo(Verdict.CONTRADICTED);
    assertThat(judgement.reason()).contains("sent_pkts").contains("1 too few");
    assertCounted(evidence, Verdict.CONTRADICTED);
  }

  @Test
  void shouldBeAtLeastWhenOnlyPortIsReadable() { // P-5.4
    Evidence evidence = withPort();
    Evidence.Bracket bracket = open(evidence, Direction.WRITE, EvidenceTest::unreadable);
    counter("sent_pkts", 1020);
    Judgement judgement = bracket.judge(BYTES);

    assertThat(judgement.verdict()).isEqualTo(Verdict.AT_LEAST);
    assertThat(judgement.packetsStated()).isEqualTo(PACKETS);
    assertCounted(evidence, Verdict.AT_LEAST);
  }

  @Test
  void shouldBeAtLeastWhenPsnIsReadableOnlyBefore() {
    Evidence evidence = withPort();
    AtomicInteger reads = new AtomicInteger();
    Evidence.Bracket bracket =
        open(evidence, Direction.WRITE, () -> reads.incrementAndGet() == 1 ? 7 : unreadable());
    counter("sent_pkts", 1009);

    assertThat(bracket.judge(BYTES).verdict()).isEqualTo(Verdict.AT_LEAST);
  }

  @Test
  void shouldBeUnavailableWhenNothingIsReadable() { // P-5.4: said, never upgraded
    Evidence evidence = withoutPort();
    Judgement judgement = open(evidence, Direction.READ, EvidenceTest::unreadable).judge(BYTES);

    assertThat(judgement.verdict()).isEqualTo(Verdict.UNAVAILABLE);
    assertThat(judgement.packetsStated()).isZero();
    assertThat(judgement.portPackets()).isEmpty();
    assertCounted(evidence, Verdict.UNAVAILABLE);
  }

  @Test
  void shouldBeExactWhenOnlyPsnIsReadable() { // P-5.3 does not contradict
    Evidence evidence = withoutPort();
    Evidence.Bracket bracket = open(evidence, Direction.READ, psn::get);
    psn.addAndGet(PACKETS);

    assertThat(bracket.judge(BYTES).verdict()).isEqualTo(Verdict.EXACT);
  }

  @Test
  void shouldOweNothingWhenTransferIsAbandoned() {
    Evidence evidence = withPort();
    Evidence.Bracket failed = open(evidence, Direction.WRITE, psn::get);
    Evidence.Bracket good = open(evidence, Direction.WRITE, psn::get);
    failed.abandon();
    failed.abandon(); // idempotent
    psn.addAndGet(PACKETS);
    counter("sent_pkts", 1009); // only the good one's

    assertThat(good.judge(BYTES).verdict()).isEqualTo(Verdict.EXACT);
    good.abandon(); // as the caller's finally does: no effect
    psn.addAndGet(PACKETS);
    Evidence.Bracket next = open(evidence, Direction.WRITE, psn::get);
    psn.addAndGet(PACKETS);
    counter("sent_pkts", 1018);
    assertThat(next.judge(BYTES).verdict()).isEqualTo(Verdict.EXACT);
    assertThatThrownBy(() -> next.judge(BYTES)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldNotLendPacketsWhenOneTransferLied() { // P-5.3: over everything in the bracket
    Evidence evidence = withPort();
    Evidence.Bracket first = open(evidence, Direction.WRITE, EvidenceTest::unreadable);
    Evidence.Bracket second = open(evidence, Direction.WRITE, EvidenceTest::unreadable);
    counter("sent_pkts", 1009); // one of the two did not travel
    Judgement one = first.judge(BYTES);
    Judgement two = second.judge(BYTES);

    assertThat(one.verdict()).isEqualTo(Verdict.AT_LEAST);
    assertThat(two.verdict()).isEqualTo(Verdict.CONTRADICTED);
  }
}
