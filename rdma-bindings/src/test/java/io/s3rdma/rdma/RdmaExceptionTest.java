package io.s3rdma.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.rdma.RdmaException.Advice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What failures say, and how completion statuses map. */
final class RdmaExceptionTest {
  @Test
  void shouldSayCallNumberAndTextWhenCallFailed() {
    RdmaException e = RdmaException.ofCall("ibv_reg_mr", 12, "registering 4096 bytes");

    assertThat(e).hasMessage("ibv_reg_mr failed with errno 12 (ENOMEM): registering 4096 bytes");
    assertThat(e.call()).isEqualTo("ibv_reg_mr");
    assertThat(e.errno()).isEqualTo(12);
    assertThat(e.status()).isEqualTo(CompletionStatus.SUCCESS);
    assertThat(e.advice()).isEqualTo(Advice.FALL_BACK);
    assertThat(RdmaException.ofCall("ibv_modify_qp", 22, "").advice()).isEqualTo(Advice.ABORT);
    assertThat(RdmaException.ofCall("x", 999, "")).hasMessageContaining("errno 999");
  }

  @Test
  void shouldSayQueuePairAndStatusWhenWorkRequestFailed() {
    RdmaException e = RdmaException.ofCompletion(CompletionStatus.REMOTE_ACCESS, 0x1b, 0x88);

    assertThat(e).hasMessageContaining("QP 0x1b").hasMessageContaining("REMOTE_ACCESS");
    assertThat(e).hasMessageContaining("vendor 0x88");
    assertThat(e.queuePairNumber()).isEqualTo(0x1b);
    assertThat(e.errno()).isZero();
    assertThat(e.call()).isEqualTo("completion");
    assertThat(e.advice()).isEqualTo(Advice.FALL_BACK);
  }

  @Test
  void shouldAdviseWhenKindIsGiven() {
    assertThat(RdmaException.misuse("m").advice()).isEqualTo(Advice.ABORT);
    assertThat(RdmaException.unsupported("m").advice()).isEqualTo(Advice.FALL_BACK);
    assertThat(RdmaException.unavailable("m").advice()).isEqualTo(Advice.FALL_BACK);
  }

  /** The numbers are ibv_wc_status (s3rdma.h, enum s3r_wc_status). */
  @ParameterizedTest
  @CsvSource({
    "0, SUCCESS, false, RETRY",
    "1, LOCAL_LENGTH, false, ABORT",
    "2, LOCAL_QP_OPERATION, false, ABORT",
    "4, LOCAL_PROTECTION, false, ABORT",
    "5, FLUSHED, false, RETRY",
    "6, WINDOW_BIND, false, ABORT",
    "8, LOCAL_ACCESS, false, ABORT",
    "9, REMOTE_INVALID_REQUEST, true, FALL_BACK",
    "10, REMOTE_ACCESS, true, FALL_BACK",
    "11, REMOTE_OPERATION, false, FALL_BACK",
    "12, RETRY_EXCEEDED, false, RETRY",
    "13, RNR_RETRY_EXCEEDED, false, RETRY",
    "19, FATAL, false, FALL_BACK",
    "21, GENERAL, false, FALL_BACK",
  })
  void shouldMapStatusWhenCodeIsKnown(
      int code, CompletionStatus expected, boolean peerFault, Advice advice) {
    CompletionStatus status = CompletionStatus.of(code);

    assertThat(status).isEqualTo(expected);
    assertThat(status.code()).isEqualTo(code);
    assertThat(status.isPeerMemoryFault()).isEqualTo(peerFault);
    assertThat(status.advice()).isEqualTo(advice);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 7, 14, 20, 22, 31, 32, 1000, -1, Integer.MIN_VALUE})
  void shouldBeOtherWhenCodeIsUnknown(int code) {
    assertThat(CompletionStatus.of(code)).isEqualTo(CompletionStatus.OTHER);
  }

  @ParameterizedTest
  @EnumSource(CompletionStatus.class)
  void shouldRoundTripAndExplainWhenStatusIsAny(CompletionStatus status) {
    assertThat(CompletionStatus.of(status.code())).isEqualTo(status);
    assertThat(status.meaning()).isNotBlank();
  }

  @ParameterizedTest
  @CsvSource({"0, 14, 6", "1, 0, 6", "1, 32, 6", "1, 14, 7", "1, 14, -1"})
  void shouldRefuseWhenSendAttributesCouldHang(int reads, int timeout, int retries) {
    // rdma-practice 6.3, 6.4: READ depth 0, timeout 0 and 7 retries mean "for ever" somewhere.
    assertThatThrownBy(() -> new ReadyToSend(1, reads, timeout, retries))
        .isInstanceOf(RdmaException.class)
        .hasMessageContaining("out of bounds");
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 0", "16, 31, 6"})
  void shouldAcceptWhenSendAttributesAreAtTheBounds(int reads, int timeout, int retries) {
    assertThat(new ReadyToSend(1, reads, timeout, retries).outgoingReads()).isEqualTo(reads);
  }
}
