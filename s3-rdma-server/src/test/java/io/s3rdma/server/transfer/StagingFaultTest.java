package io.s3rdma.server.transfer;

import static io.s3rdma.server.transfer.Faults.CHUNK;
import static io.s3rdma.server.transfer.Faults.SIZE;
import static io.s3rdma.server.transfer.Faults.assertFailure;
import static io.s3rdma.server.transfer.Faults.assertTransfersWork;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.rdma.FakeDevice;
import io.s3rdma.rdma.FakeDevice.Fault;
import io.s3rdma.rdma.FakeDevice.Operation;
import io.s3rdma.rdma.LiveObjects;
import io.s3rdma.rdma.Rdma;
import io.s3rdma.rdma.TransferRight;
import io.s3rdma.rdma.wire.RemoteDescriptor;
import io.s3rdma.server.transfer.TransferException.Failure;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Memory that runs out, never comes back, or cannot be had; drains that do not end. */
final class StagingFaultTest {
  private static final int ENOMEM = 12;

  private LiveObjects before;

  @BeforeEach
  void reset() {
    FakeDevice.reset();
    before = Rdma.liveObjects();
  }

  @AfterEach
  void resetAgain() {
    FakeDevice.reset();
  }

  @Test
  void shouldDeclineAndKeepConnectionWhenStagingIsExhausted() { // decline NoStagingMemory
    TestConfig config = new TestConfig();
    config.slots = 2;
    config.chunksInFlight = 2;
    CountDownLatch holdsBoth = new CountDownLatch(2);
    CountDownLatch goOn = new CountDownLatch(1);
    ByteSource holding =
        (position, target) -> {
          holdsBoth.countDown();
          if (position > 0) {
            Faults.await(goOn);
          }
          target.put(new byte[target.remaining()]);
        };
    try (Transfers transfers = config.open();
        Peer first = Peer.connected(transfers, SIZE);
        Peer second = Peer.connected(transfers, SIZE)) {
      // Its first chunk must not come back and free a slot.
      FakeDevice.arm(Fault.STALL, Operation.WRITE, 0, 1, 0);
      RemoteDescriptor at = first.window(0, SIZE, TransferRight.REMOTE_WRITE);
      CompletableFuture<?> holder =
          CompletableFuture.runAsync(
              () -> first.get(transfers, at, holding, SIZE, Deadline.in(500), Peer.NEVER));
      Faults.await(holdsBoth);
      assertThat(transfers.usage().slotsInUse()).isEqualTo(2);

      TransferException e = Faults.failingGet(transfers, second, Deadline.in(100));
      assertFailure(e, Failure.NO_STAGING_MEMORY);
      assertThat(e).hasMessageContaining("all 2 staging slots");
      goOn.countDown();
      assertThatThrownBy(() -> Faults.result(holder)).hasMessageContaining("500 ms");

      // The connection that was declined is healthy.
      byte[] content = Peer.random(SIZE, 5);
      second.get(transfers, 0, content);
      assertThat(second.bytes()).isEqualTo(content);
      assertThat(transfers.usage().connections()).isEqualTo(1);
      assertThat(transfers.usage().slotsInUse()).isZero();
    }
    assertThat(Rdma.liveObjects()).isEqualTo(before);
  }

  @Test
  void shouldLoseSlotAndKeepQueuePairWhenCompletionNeverComes() { // rdma-practice 6.9
    TestConfig config = new TestConfig();
    config.drainTimeoutMillis = 150;
    try (Transfers transfers = config.open()) {
      Peer peer = Peer.connected(transfers, SIZE);
      FakeDevice.arm(Fault.LOSE_COMPLETION, Operation.WRITE, 1, 1, 0);
      long pairs = Rdma.liveObjects().queuePairs();
      TransferException e = Faults.failingGet(transfers, peer, Deadline.in(300));

      assertFailure(e, Failure.DEADLINE);
      Transfers.Usage usage = transfers.usage();
      assertThat(usage.slotsLost()).isEqualTo(1);
      assertThat(usage.slotsInUse()).isEqualTo(1);
      assertThat(usage.drainFailures()).isEqualTo(1);
      assertThat(usage.connections()).isZero();
      assertThat(Rdma.liveObjects().queuePairs()).as("kept").isEqualTo(pairs);
      assertThatThrownBy(() -> transfers.lease(peer.id(), Peer.OWNER))
          .hasMessageContaining("unknown, expired or failed");
      peer.close();
      for (int i = 0; i < 5; i++) {
        assertTransfersWork(transfers);
      }
      assertThat(transfers.usage().slotsInUse()).isEqualTo(1);
    }
    // Closing frees all but what a NIC may still touch: that stays, and close says so in the log.
    LiveObjects after = Rdma.liveObjects();
    assertThat(after.queuePairs()).isEqualTo(before.queuePairs() + 1);
    assertThat(after.memoryRegions()).isEqualTo(before.memoryRegions() + 1);
    assertThat(after.devices()).isEqualTo(before.devices() + 1);
  }

  @Test
  void shouldFreeAllWhenStagingCannotBeRegistered() {
    FakeDevice.arm(Fault.REGISTER_ERRNO, Operation.WRITE_OR_READ, 0, 1, ENOMEM);

    assertThatThrownBy(() -> new TestConfig().open())
        .hasMessageContaining("ENOMEM")
        .isInstanceOfSatisfying(TransferException.class, e -> assertFailure(e, Failure.NO_RAIL));
    assertThat(Rdma.liveObjects()).isEqualTo(before);
  }

  @Test
  void shouldFailTypedAndCountNothingWhenQueuePairCannotBeMade() {
    try (Transfers transfers = new TestConfig().open();
        Peer peer = new Peer(CHUNK)) {
      LiveObjects alive = Rdma.liveObjects();
      FakeDevice.arm(Fault.CREATE_QUEUE_PAIR_ERRNO, Operation.WRITE_OR_READ, 0, 1, ENOMEM);

      assertThatThrownBy(() -> transfers.connect(peer.request(Peer.OWNER)))
          .hasMessageContaining("ENOMEM")
          .isInstanceOfSatisfying(TransferException.class, e -> assertFailure(e, Failure.FABRIC));
      assertThat(Rdma.liveObjects()).isEqualTo(alive);
      assertThat(transfers.usage().connections()).isZero();
      assertTransfersWork(transfers);
    }
    assertThat(Rdma.liveObjects()).isEqualTo(before);
  }

  @Test
  void shouldNameCauseWhenThereIsNoDevice() {
    FakeDevice.devices(0);

    assertThatThrownBy(() -> new TestConfig().open())
        .hasMessageContaining("no RDMA device")
        .isInstanceOfSatisfying(TransferException.class, e -> assertFailure(e, Failure.NO_RAIL));
  }

  @Test
  void shouldNameCauseWhenPortIsDown() {
    FakeDevice.port(0, false);

    assertThatThrownBy(() -> new TestConfig().open())
        .hasMessageContaining("fake0/1 is not active")
        .isInstanceOfSatisfying(TransferException.class, e -> assertFailure(e, Failure.NO_RAIL));
  }

  @Test
  void shouldUseOwnMtuWhenPeerOffersMore() { // P-2.2
    FakeDevice.mtu(1024);
    try (Transfers transfers = new TestConfig().open()) {
      FakeDevice.mtu(4096); // devices opened from now on
      try (Peer peer = Peer.connected(transfers, SIZE)) {
        assertThat(peer.end().mtuBytes()).isEqualTo(4096);
        byte[] content = Peer.random(SIZE, 9);
        peer.get(transfers, 0, content);
        assertThat(peer.bytes()).isEqualTo(content);
        try (Transfers.Lease lease = transfers.lease(peer.id(), Peer.OWNER)) {
          assertThat(lease.connection().mtuBytes()).isEqualTo(1024);
        }
      }
    }
    assertThat(Rdma.liveObjects()).isEqualTo(before);
  }
}
