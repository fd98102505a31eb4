package io.s3rdma.server.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.rdma.FakeDevice;
import io.s3rdma.rdma.LiveObjects;
import io.s3rdma.rdma.Rdma;
import io.s3rdma.rdma.wire.ConnectionId;
import io.s3rdma.server.transfer.TransferException.Failure;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A connection is ended once and counted right, whoever meets whom. */
final class ConnectionRaceTest {
  private static final int ROUNDS = 3_000;

  private LiveObjects before;
  private ExecutorService threads;

  @BeforeEach
  void reset() {
    FakeDevice.reset();
    before = Rdma.liveObjects();
    threads = Executors.newFixedThreadPool(4);
  }

  @AfterEach
  void leavesNothingAlive() {
    threads.shutdownNow();
    assertThat(Rdma.liveObjects()).isEqualTo(before);
  }

  private static TestConfig manyConnects() {
    TestConfig config = new TestConfig();
    config.connectsPerSecondMax = 1_000_000;
    return config;
  }

  private static void meet(CyclicBarrier barrier) {
    try {
      barrier.await(20, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shouldForgetConnectionWhenDisconnectMeetsRelease() { // P-2.3
    try (Transfers transfers = manyConnects().open();
        Peer peer = new Peer(4096)) {
      ConnectRequest request = peer.request(Peer.OWNER);
      CyclicBarrier start = new CyclicBarrier(2);
      long pairs = Rdma.liveObjects().queuePairs();
      for (int round = 0; round < ROUNDS; round++) {
        ConnectAnswer answer = transfers.connect(request);
        CompletableFuture<Void> user =
            CompletableFuture.runAsync(
                () -> {
                  meet(start);
                  leaseUntilGone(transfers, answer.id());
                },
                threads);
        meet(start);
        for (int i = 0; i < round; i++) {
          Thread.onSpinWait(); // each round at another moment
        }
        transfers.disconnect(answer.id(), Peer.OWNER);
        Faults.result(user);

        assertThat(transfers.usage().connections()).as("round " + round).isZero();
        assertThat(Rdma.liveObjects().queuePairs()).as("round " + round).isEqualTo(pairs);
      }
    }
  }

  private static void leaseUntilGone(Transfers transfers, ConnectionId id) {
    try {
      while (true) {
        transfers.lease(id, Peer.OWNER).close();
      }
    } catch (TransferException e) {
      assertThat(e.failure()).isEqualTo(Failure.NO_SUCH_CONNECTION);
    }
  }

  @Test
  void shouldFreeAllWhenConnectsMeetClose() {
    for (int round = 0; round < 10; round++) {
      try (Peer peer = new Peer(4096)) {
        Transfers transfers = manyConnects().open();
        ConnectRequest request = peer.request(Peer.OWNER);
        CyclicBarrier start = new CyclicBarrier(4);
        CompletableFuture<?>[] connecting = new CompletableFuture<?>[3];
        for (int i = 0; i < connecting.length; i++) {
          connecting[i] =
              CompletableFuture.runAsync(
                  () -> {
                    meet(start);
                    connectUntilRefused(transfers, request);
                  },
                  threads);
        }
        meet(start);
        transfers.close();
        Faults.result(CompletableFuture.allOf(connecting));
      }
      assertThat(Rdma.liveObjects()).as("round " + round).isEqualTo(before);
    }
  }

  private static void connectUntilRefused(Transfers transfers, ConnectRequest request) {
    try {
      while (true) {
        transfers.connect(request);
      }
    } catch (TransferException e) {
      assertThat(e.failure()).isEqualTo(Failure.LIMIT);
    }
  }
}
