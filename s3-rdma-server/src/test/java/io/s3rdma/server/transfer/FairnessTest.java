package io.s3rdma.server.transfer;

import static io.s3rdma.server.transfer.Faults.CHUNK;
import static io.s3rdma.server.transfer.Faults.assertFailure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.rdma.FakeDevice;
import io.s3rdma.rdma.LiveObjects;
import io.s3rdma.rdma.Rdma;
import io.s3rdma.rdma.TransferRight;
import io.s3rdma.rdma.wire.ConnectionId;
import io.s3rdma.rdma.wire.RemoteDescriptor;
import io.s3rdma.server.transfer.TransferException.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What one access key does, or lets hang, is not another's loss (P-2.6). */
final class FairnessTest {
  private static final String GREEDY = "GREEDY";
  private static final int GREEDY_TRANSFERS = 64;

  private final TestConfig config = new TestConfig();
  private final List<Peer> peers = new ArrayList<>();
  private LiveObjects before;
  private ExecutorService threads;

  @BeforeEach
  void reset() {
    FakeDevice.reset();
    before = Rdma.liveObjects();
    threads = Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory());
    config.connectionsMax = GREEDY_TRANSFERS + 8;
    config.connectionsPerKeyMax = GREEDY_TRANSFERS + 8;
  }

  @AfterEach
  void leavesNothingAlive() {
    threads.shutdownNow();
    FakeDevice.reset();
    assertThat(Rdma.liveObjects()).isEqualTo(before);
  }

  private Peer connected(Transfers transfers, String owner, int bytes) {
    Peer peer = new Peer(bytes);
    peers.add(peer);
    peer.finish(transfers.connect(peer.request(owner)));
    return peer;
  }

  private CompletableFuture<Void> get(
      Transfers transfers, Peer peer, String owner, ByteSource source, int bytes, int patience) {
    RemoteDescriptor at = peer.window(0, bytes, TransferRight.REMOTE_WRITE);
    return CompletableFuture.runAsync(
        () -> {
          try (Transfers.Lease lease = transfers.lease(peer.id(), owner)) {
            transfers.write(lease, at, source, bytes, Deadline.in(patience), Peer.NEVER);
          }
        },
        threads);
  }

  private void closePeers() {
    peers.forEach(Peer::close);
    peers.clear();
  }

  /** Sixty-four transfers whose store gives nothing any more hold all that their key may hold. */
  @Test
  void shouldServeOthersWhileSixtyFourTransfersOfAGreedyKeyHang() {
    CountDownLatch goOn = new CountDownLatch(1);
    ByteSource hanging =
        (position, target) -> {
          Faults.await(goOn);
          target.put(new byte[target.remaining()]);
        };
    try (Transfers transfers = config.open()) {
      List<CompletableFuture<Void>> greedy = new ArrayList<>();
      for (int i = 0; i < GREEDY_TRANSFERS; i++) {
        Peer peer = connected(transfers, GREEDY, CHUNK);
        greedy.add(get(transfers, peer, GREEDY, hanging, CHUNK, 60_000));
      }
      FakeDevice.eventually(() -> transfers.usage().slotsInUse() == 13, "its share of 16 is used");

      Peer honest = connected(transfers, Peer.OWNER, 20 * CHUNK);
      byte[] content = Peer.random(20 * CHUNK, 6);
      honest.get(transfers, 0, content);
      assertThat(honest.bytes()).isEqualTo(content);
      assertThat(honest.put(transfers, 0, content.length)).isEqualTo(content);
      assertThat(transfers.usage().slotsInUse()).isEqualTo(13);

      goOn.countDown();
      int moved = 0;
      for (CompletableFuture<Void> transfer : greedy) {
        // Those that waited too long were declined; the others were not hurt.
        moved += transfer.handle((done, e) -> e == null ? 1 : 0).join();
      }
      assertThat(moved).isGreaterThanOrEqualTo(13);
      assertThat(transfers.usage().slotsInUse()).isZero();
      closePeers();
    }
  }

  /** Peers that never answer: each is ended in time, and until then it holds its own only. */
  @Test
  void shouldServeOthersWhenAKeysPeersAreBlackHoles() {
    config.transportTimeout = 20; // asked again and again for longer than the others need
    try (Transfers transfers = config.open()) {
      List<CompletableFuture<Void>> silent = new ArrayList<>();
      for (int i = 0; i < 13; i++) {
        Peer peer = new Peer(CHUNK);
        peers.add(peer);
        // Its queue pair stays in INIT: whatever comes is dropped.
        ConnectionId id = transfers.connect(peer.request(GREEDY)).id();
        silent.add(
            CompletableFuture.runAsync(
                () -> {
                  try (Transfers.Lease lease = transfers.lease(id, GREEDY)) {
                    transfers.write(
                        lease,
                        new RemoteDescriptor(4096, CHUNK, 77),
                        Peer.sourceOf(new byte[CHUNK]),
                        CHUNK,
                        Deadline.in(1_500),
                        Peer.NEVER);
                  }
                },
                threads));
      }
      FakeDevice.eventually(() -> transfers.usage().slotsInUse() == 13, "all are stuck");

      Faults.assertTransfersWork(transfers);
      for (CompletableFuture<Void> transfer : silent) {
        assertThatThrownBy(() -> Faults.result(transfer))
            .cause()
            .isInstanceOfSatisfying(
                TransferException.class,
                e -> assertThat(e.failure()).isIn(Failure.DEADLINE, Failure.FABRIC));
      }
      Faults.assertAllBack(transfers);
      closePeers();
    }
  }

  /** With one slot for all a newcomer waits for a chunk, not for the end of a long transfer. */
  @Test
  void shouldGiveItsSlotUpWhenAnotherKeyHasNone() {
    config.slots = 1;
    config.chunksInFlight = 1;
    int chunks = 64;
    CountDownLatch half = new CountDownLatch(1);
    CountDownLatch newcomerWaits = new CountDownLatch(1);
    CountDownLatch newcomerDone = new CountDownLatch(1);
    ByteSource longOne =
        (position, target) -> {
          if (position == (long) chunks / 2 * CHUNK) {
            half.countDown();
            Faults.await(newcomerWaits);
          }
          if (position == (long) (chunks - 1) * CHUNK) {
            Faults.await(newcomerDone); // never comes if it had to wait for this transfer's end
          }
          target.put(new byte[target.remaining()]);
        };
    try (Transfers transfers = config.open()) {
      Peer greedy = connected(transfers, GREEDY, chunks * CHUNK);
      Peer newcomer = connected(transfers, Peer.OWNER, 4 * CHUNK);
      CompletableFuture<Void> first =
          get(transfers, greedy, GREEDY, longOne, chunks * CHUNK, 60_000);
      Faults.await(half);
      CompletableFuture<Void> second =
          get(
              transfers,
              newcomer,
              Peer.OWNER,
              Peer.sourceOf(new byte[4 * CHUNK]),
              4 * CHUNK,
              60_000);
      FakeDevice.eventually(() -> transfers.waiting() == 1, "the newcomer waits");
      newcomerWaits.countDown();
      Faults.result(second);
      newcomerDone.countDown();
      Faults.result(first);
      assertThat(transfers.usage().slotsInUse()).isZero();
      closePeers();
    }
  }

  @Test
  void shouldAnswerLimitWhenAKeyRunsTooManyTransfers() { // P-2.6
    config.transfersPerKeyMax = 1;
    try (Transfers transfers = config.open()) {
      Peer first = connected(transfers, GREEDY, CHUNK);
      Peer second = connected(transfers, GREEDY, CHUNK);
      Peer other = connected(transfers, Peer.OWNER, CHUNK);
      try (Transfers.Lease lease = transfers.lease(first.id(), GREEDY)) {
        assertThat(lease.connection().id()).isEqualTo(first.id());
        assertThatThrownBy(() -> transfers.lease(second.id(), GREEDY))
            .hasMessageContaining("all its 1 transfers")
            .isInstanceOfSatisfying(TransferException.class, e -> assertFailure(e, Failure.LIMIT));
        transfers.lease(other.id(), Peer.OWNER).close();
      }
      transfers.lease(second.id(), GREEDY).close();
      closePeers();
    }
  }

  @Test
  void shouldLeaveOthersTheirConnectsWhenOneKeyFloods() { // P-2.6
    config.connectsPerSecondMax = 40;
    config.connectsPerSecondPerKeyMax = 1;
    int refused = 0;
    try (Transfers transfers = config.open()) {
      Peer flooding = new Peer(CHUNK);
      peers.add(flooding);
      for (int i = 0; i < 400; i++) {
        try {
          transfers.disconnect(transfers.connect(flooding.request(GREEDY)).id(), GREEDY);
        } catch (TransferException e) {
          assertFailure(e, Failure.LIMIT);
          assertThat(e).hasMessageContaining("this access key");
          refused++;
        }
      }
      assertThat(refused).isPositive();
      for (int i = 0; i < 20; i++) {
        connected(transfers, "K" + i, CHUNK); // of the budget of all, as much as before
      }
      closePeers();
    }
  }
}
