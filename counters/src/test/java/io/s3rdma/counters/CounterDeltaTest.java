package io.s3rdma.counters;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class CounterDeltaTest {
  @Test
  void shouldSubtractWhenCounterMovesForward() {
    CounterDelta delta = delta(Map.of(Counter.SENT_PKTS, 5L), Map.of(Counter.SENT_PKTS, 10_245L));

    assertThat(delta.moved(Counter.SENT_PKTS)).hasValue(10_240);
  }

  @Test
  void shouldBeAbsentWhenEitherSideIs() {
    CounterDelta gone = delta(Map.of(Counter.SENT_PKTS, 5L), Map.of());
    CounterDelta come = delta(Map.of(), Map.of(Counter.SENT_PKTS, 5L));

    assertThat(gone.moved(Counter.SENT_PKTS)).isEmpty();
    assertThat(come.moved(Counter.SENT_PKTS)).isEmpty();
    assertThat(come.witness(Direction.WRITE)).isEmpty();
    assertThat(come.counters()).isEmpty();
  }

  @Test
  void shouldWrapAtItsWidthWhenCounterIsNarrow() {
    CounterDelta delta =
        delta(
            Map.of(Counter.PACKET_SEQ_ERR, 0xffff_fffeL, Counter.PORT_RCV_ERRORS, 0xffffL),
            Map.of(Counter.PACKET_SEQ_ERR, 3L, Counter.PORT_RCV_ERRORS, 1L));

    assertThat(delta.moved(Counter.PACKET_SEQ_ERR)).hasValue(5);
    assertThat(delta.moved(Counter.PORT_RCV_ERRORS)).hasValue(2);
  }

  @Test
  void shouldUseFullWidthWhenValueExceedsTheNarrowOne() { // rxe keeps duplicate_request in 64 bits
    CounterDelta delta =
        delta(
            Map.of(Counter.DUPLICATE_REQUEST, 0xffff_fffeL),
            Map.of(Counter.DUPLICATE_REQUEST, 0x1_0000_0003L));

    assertThat(delta.moved(Counter.DUPLICATE_REQUEST)).hasValue(5);
  }

  @Test
  void shouldWrapWhenWideCounterPassesItsEnd() {
    CounterDelta delta = delta(Map.of(Counter.SENT_PKTS, -3L), Map.of(Counter.SENT_PKTS, 4L));

    assertThat(delta.moved(Counter.SENT_PKTS)).hasValue(7);
  }

  @Test
  void shouldBeAbsentWhenWideCounterWasReset() {
    CounterDelta delta = delta(Map.of(Counter.SENT_PKTS, 900L), Map.of(Counter.SENT_PKTS, 2L));

    assertThat(delta.moved(Counter.SENT_PKTS)).isEmpty();
  }

  @Test
  void shouldPreferPacketsWhenSeveralWitnessesExist() {
    Map<Counter, Long> all =
        Map.of(
            Counter.PORT_XMIT_DATA, 0L,
            Counter.SENT_BYTES, 0L,
            Counter.PORT_XMIT_PACKETS, 0L,
            Counter.PORT_RCV_DATA, 0L);

    assertThat(delta(all, all).witness(Direction.WRITE)).contains(Counter.PORT_XMIT_PACKETS);
    assertThat(delta(all, all).witness(Direction.READ)).contains(Counter.PORT_RCV_DATA);
  }

  @Test
  void shouldAddSignsOfBothVendorsWhenPacketsTravelAgain() {
    Map<Counter, Long> before =
        Map.of(
            Counter.COMPLETER_RETRY_ERR, 1L, Counter.ROCE_ADP_RETRANS, 0L, Counter.SENT_PKTS, 0L);
    Map<Counter, Long> after =
        Map.of(
            Counter.COMPLETER_RETRY_ERR, 3L, Counter.ROCE_ADP_RETRANS, 4L, Counter.SENT_PKTS, 9L);

    assertThat(delta(before, after).retransmissions()).hasValue(6);
    assertThat(delta(before, before).retransmissions()).hasValue(0);
    assertThat(delta(Map.of(), Map.of()).retransmissions()).isEmpty();
  }

  private static CounterDelta delta(Map<Counter, Long> before, Map<Counter, Long> after) {
    return CounterDelta.between(CounterSnapshot.of(0, before), CounterSnapshot.of(1, after));
  }
}
