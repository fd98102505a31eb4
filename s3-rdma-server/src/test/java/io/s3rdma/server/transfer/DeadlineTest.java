package io.s3rdma.server.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** P-1.7, P-4.8. */
final class DeadlineTest {
  @Test
  void shouldHavePassedWhenTheRequestWaitedLongerThanItsPatience() {
    long received = System.nanoTime() - TimeUnit.SECONDS.toNanos(3);
    Deadline deadline = Deadline.since(received, 2_000);

    assertThat(deadline.remainingNanos()).isNegative();
    assertThatThrownBy(() -> deadline.check(5, 10))
        .isInstanceOf(TransferException.class)
        .hasMessageContaining("5 of 10 bytes")
        .hasMessageContaining("2000 ms");
  }

  @Test
  void shouldHoldWhilePatienceLasts() {
    assertThatCode(() -> Deadline.in(60_000).check(0, 1)).doesNotThrowAnyException();
  }
}
