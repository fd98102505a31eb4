package io.s3rdma.server.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.rdma.wire.Gid;
import io.s3rdma.server.transfer.PeerBudgets.Peer;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** P-2.12: who causes too many faults is served by HTTP for a while. */
final class PeerBudgetsTest {
  private static final int BUDGET = 8;
  private static final int WINDOW_SECONDS = 10;
  private static final int COOL_DOWN_SECONDS = 30;

  private long nanos = -5; // nanoTime may be negative
  private PeerBudgets budgets;
  private Peer guesser;
  private Peer honest;

  @BeforeEach
  void open() throws UnknownHostException {
    budgets = withBudget(BUDGET);
    guesser = new Peer("GUESSER", gid("192.0.2.1"));
    honest = new Peer("HONEST", gid("192.0.2.1"));
  }

  private PeerBudgets withBudget(int budget) {
    return new PeerBudgets(
        new PeerLimits(1, 1, 1, 0, budget, WINDOW_SECONDS, COOL_DOWN_SECONDS), () -> nanos);
  }

  private static Gid gid(String address) throws UnknownHostException {
    return Gid.ofInetAddress(InetAddress.getByName(address));
  }

  private void pass(int seconds) {
    nanos += TimeUnit.SECONDS.toNanos(seconds);
  }

  @Test
  void shouldCoolDownOnceWhenRefusalsUseTheBudgetUp() {
    budgets.charge(guesser, PeerBudgets.REFUSAL);
    assertThat(budgets.isCoolingDown(guesser)).isFalse();
    for (int i = 0; i < 5; i++) {
      budgets.charge(guesser, PeerBudgets.REFUSAL);
      assertThat(budgets.isCoolingDown(guesser)).isTrue();
    }
    assertThat(budgets.coolDowns()).as("said once").isEqualTo(1);
    assertThat(budgets.isCoolingDown(honest)).as("another key on the same host").isFalse();
  }

  @Test
  void shouldTellHostsApartWhenKeyIsTheSame() throws UnknownHostException {
    budgets.charge(guesser, BUDGET);
    assertThat(budgets.isCoolingDown(guesser)).isTrue();
    assertThat(budgets.isCoolingDown(new Peer("GUESSER", gid("192.0.2.2")))).isFalse();
  }

  @Test
  void shouldStartAnewWhenCoolDownIsOver() {
    budgets.charge(guesser, BUDGET);
    pass(COOL_DOWN_SECONDS - 1);
    assertThat(budgets.isCoolingDown(guesser)).isTrue();
    pass(1);
    assertThat(budgets.isCoolingDown(guesser)).isFalse();
    budgets.charge(guesser, BUDGET - 1);
    assertThat(budgets.isCoolingDown(guesser)).as("its budget is whole").isFalse();
    budgets.charge(guesser, 1);
    assertThat(budgets.isCoolingDown(guesser)).isTrue();
    assertThat(budgets.coolDowns()).isEqualTo(2);
  }

  @Test
  void shouldBearFaultsWhenTheyAreRare() {
    for (int i = 0; i < 100; i++) {
      budgets.charge(honest, PeerBudgets.REFUSAL);
      pass(WINDOW_SECONDS / 2);
    }
    assertThat(budgets.coolDowns()).isZero();
  }

  @Test
  void shouldForgetWhenPeerIsCalmAgain() {
    budgets.charge(honest, PeerBudgets.TRANSPORT);
    budgets.charge(guesser, BUDGET);
    pass(WINDOW_SECONDS);
    budgets.forgetCalm();
    assertThat(budgets.size()).as("the one that cools down").isEqualTo(1);
    pass(COOL_DOWN_SECONDS);
    budgets.forgetCalm();
    assertThat(budgets.size()).isZero();
  }

  @Test
  void shouldCountNothingWhenBudgetIsZero() {
    PeerBudgets off = withBudget(0);
    off.charge(guesser, 1_000);
    assertThat(off.isCoolingDown(guesser)).isFalse();
    assertThat(off.size()).isZero();
  }
}
