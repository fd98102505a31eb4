package io.s3rdma.server.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.rdma.FakeDevice;
import io.s3rdma.rdma.FakeDevice.Fault;
import io.s3rdma.rdma.FakeDevice.Operation;
import io.s3rdma.rdma.LiveObjects;
import io.s3rdma.rdma.Rdma;
import io.s3rdma.rdma.TransferRight;
import io.s3rdma.rdma.wire.DeclineReason;
import io.s3rdma.rdma.wire.RemoteDescriptor;
import io.s3rdma.server.transfer.TransferException.Failure;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Several rails: which one carries what, and what an outage of one of them does. */
final class RailsTest {
  private static final int SIZE = 8 * TestConfig.CHUNK;
  private static final int CQ_ERROR = 0;
  private static final int QP_ACCESS_ERROR = 3;
  private static final int DEVICE_FATAL = 8;

  private LiveObjects before;

  @BeforeEach
  void twoDevices() {
    FakeDevice.reset();
    FakeDevice.devices(2);
    FakeDevice.address(1, "127.0.0.2");
    before = Rdma.liveObjects();
  }

  @AfterEach
  void leavesNothingAlive() {
    FakeDevice.reset();
    assertThat(Rdma.liveObjects()).isEqualTo(before);
  }

  private static Peer peer(Transfers transfers, int device) {
    return Peer.connected(transfers, "fake" + device, SIZE);
  }

  private static RailStatus rail(Transfers transfers, int index) {
    return transfers.rails().get(index);
  }

  @Test
  void shouldUseEveryPortWhenNoneIsNamed() {
    try (Transfers transfers = new TestConfig().open()) {
      assertThat(transfers.rails())
          .extracting(RailStatus::name)
          .containsExactly("fake0/1", "fake1/1");
      assertThat(transfers.rails()).allMatch(RailStatus::up);
      assertThat(transfers.rails()).extracting(RailStatus::slots).containsExactly(8, 8);
      assertThat(transfers.usage().slots()).isEqualTo(16);
    }
  }

  @Test
  void shouldUseNamedPortsOnlyWhenTheyAreNamed() {
    TestConfig config = new TestConfig();
    config.devices = List.of("fake1/1");
    try (Transfers transfers = config.open()) {
      assertThat(transfers.rails()).extracting(RailStatus::name).containsExactly("fake1/1");
    }
    config.devices = List.of("fake0", "mlx9");
    assertThatThrownBy(config::open)
        .isInstanceOf(TransferException.class)
        .hasMessageContaining("no RDMA device named mlx9");
  }

  @Test
  void shouldTakeNamedPortThatIsDownWhenItComesUp() {
    FakeDevice.port(1, false);
    TestConfig config = new TestConfig();
    try (Transfers transfers = config.open()) {
      assertThat(transfers.rails()).as("nobody named it").hasSize(1);
    }
    config.devices = List.of("fake0", "fake1");
    try (Transfers transfers = config.open()) {
      assertThat(rail(transfers, 1).state()).isEqualTo("port_down");
      FakeDevice.port(1, true);
      FakeDevice.eventually(() -> rail(transfers, 1).up(), "the late port is used");
      try (Peer peer = peer(transfers, 1)) {
        peer.get(transfers, 0, Peer.random(SIZE, 1));
      }
      assertThat(rail(transfers, 1).bytesWritten()).isEqualTo(SIZE);
      assertThat(rail(transfers, 1).outages()).isZero();
    }
  }

  @Test
  void shouldMoveOverTheClientsRail() {
    try (Transfers transfers = new TestConfig().open();
        Peer first = peer(transfers, 0);
        Peer second = peer(transfers, 1)) {
      byte[] content = Peer.random(SIZE, 3);
      first.get(transfers, 0, content);
      second.get(transfers, 0, content);
      assertThat(second.put(transfers, 0, SIZE)).isEqualTo(content);

      assertThat(transfers.rails()).extracting(RailStatus::connections).containsExactly(1, 1);
      assertThat(transfers.rails())
          .extracting(RailStatus::bytesWritten)
          .containsExactly((long) SIZE, (long) SIZE);
      assertThat(transfers.rails())
          .extracting(RailStatus::bytesRead)
          .containsExactly(0L, (long) SIZE);
    }
  }

  @Test
  void shouldUseHttpsAddressWhenTheClientIsElsewhere() {
    try (Transfers transfers = new TestConfig().open();
        Peer peer = new Peer(4096)) {
      ConnectRequest request = peer.request(Peer.OWNER);
      ConnectRequest elsewhere =
          new ConnectRequest(
              Peer.OWNER,
              io.s3rdma.rdma.wire.Gid.ofInetAddress(InetAddress.ofLiteral("10.1.1.1")),
              request.queuePairNumber(),
              0,
              request.sendPsn(),
              request.mtuBytes(),
              request.incomingReads(),
              Optional.of(InetAddress.ofLiteral("127.0.0.2")));
      transfers.connect(elsewhere);
      assertThat(transfers.rails()).extracting(RailStatus::connections).containsExactly(0, 1);
    }
  }

  @Test
  void shouldEndConnectionsAndDeclineOthersWhenAPortGoesDown() {
    try (Transfers transfers = new TestConfig().open();
        Peer first = peer(transfers, 0);
        Peer second = peer(transfers, 1);
        Peer late = new Peer("fake1", 4096)) {
      FakeDevice.port(1, false);
      FakeDevice.eventually(() -> rail(transfers, 1).connections() == 0, "connections ended");

      assertThat(rail(transfers, 1).state()).isEqualTo("port_down");
      assertThat(rail(transfers, 1).cause()).isNotEmpty();
      assertThat(transfers.unusable()).as("the other one is well").isEmpty();
      assertFails(Failure.NO_SUCH_CONNECTION, () -> transfers.lease(second.id(), Peer.OWNER));
      first.get(transfers, 0, Peer.random(SIZE, 5));
      // The rail of the other port shares its network, so it takes the connection.
      transfers.connect(late.request(Peer.OWNER));
      assertThat(rail(transfers, 0).connections()).isEqualTo(2);

      FakeDevice.port(0, false);
      FakeDevice.eventually(
          () -> transfers.unusable().equals(Optional.of(DeclineReason.PORT_DOWN)), "both down");
      assertFails(Failure.RAIL_OUT, () -> transfers.connect(late.request(Peer.OWNER)));

      FakeDevice.port(1, true);
      FakeDevice.eventually(() -> transfers.unusable().isEmpty(), "one is back");
      try (Peer again = peer(transfers, 1)) {
        again.get(transfers, 0, Peer.random(SIZE, 6));
      }
      assertThat(transfers.rails()).extracting(RailStatus::outages).containsExactly(1L, 1L);
    }
  }

  @Test
  void shouldFailTransferOnceAndSoonWhenItsPortGoesDown() {
    try (Transfers transfers = new TestConfig().open();
        Peer peer = peer(transfers, 1)) {
      // The peer is a black hole: without the event the transport would try for long.
      FakeDevice.arm(Fault.STALL, Operation.WRITE, 2, 1, 0);
      RemoteDescriptor at = peer.window(0, SIZE, TransferRight.REMOTE_WRITE);
      CountDownLatch moving = new CountDownLatch(1);
      ByteSource source =
          (position, target) -> {
            target.put(new byte[target.remaining()]);
            if (position > 0) {
              moving.countDown();
            }
          };
      CompletableFuture<Throwable> failure =
          CompletableFuture.supplyAsync(
              () ->
                  org.assertj.core.api.Assertions.catchThrowable(
                      () ->
                          peer.get(transfers, at, source, SIZE, Deadline.in(60_000), Peer.NEVER)));
      Faults.await(moving);
      FakeDevice.port(1, false);

      assertThat(Faults.result(failure))
          .isInstanceOfSatisfying(
              TransferException.class, e -> assertThat(e.failure()).isEqualTo(Failure.FABRIC));
      assertThat(rail(transfers, 1).failures()).isEqualTo(1);
      assertThat(rail(transfers, 0).failures()).isZero();
      Faults.assertAllBack(transfers);
    }
  }

  @Test
  void shouldOpenTheDeviceAgainWhenItFailed() {
    for (int event : List.of(DEVICE_FATAL, CQ_ERROR)) {
      try (Transfers transfers = new TestConfig().open();
          Peer _ = peer(transfers, 0);
          Peer _ = peer(transfers, 1)) {
        FakeDevice.arm(Fault.ASYNC_EVENT, Operation.WRITE_OR_READ, 0, 1, event);
        FakeDevice.eventually(
            () -> transfers.unusable().equals(Optional.of(DeclineReason.NO_DEVICE)), "failed");
        FakeDevice.eventually(
            () -> transfers.rails().stream().allMatch(RailStatus::up), "both are open again");

        assertThat(transfers.usage().connections()).isZero();
        assertThat(transfers.rails()).extracting(RailStatus::outages).containsExactly(1L, 1L);
        try (Peer again = peer(transfers, 1)) {
          again.get(transfers, 0, Peer.random(SIZE, 8));
        }
      }
    }
  }

  @Test
  void shouldMoveToTheNewAddressWhenItChanges() {
    try (Transfers transfers = new TestConfig().open();
        Peer _ = peer(transfers, 1)) {
      FakeDevice.address(1, "127.0.0.3");
      FakeDevice.eventually(
          () ->
              rail(transfers, 1).gid().contains("7f000003")
                  || rail(transfers, 1).gid().contains("127.0.0.3"),
          "the new address");
      // The address is seen a moment before what follows from it.
      FakeDevice.eventually(() -> rail(transfers, 1).outages() == 1, "out");
      FakeDevice.eventually(() -> rail(transfers, 1).connections() == 0, "ended");
      FakeDevice.eventually(() -> rail(transfers, 1).up(), "back");
      try (Peer again = peer(transfers, 1)) {
        again.get(transfers, 0, Peer.random(SIZE, 9));
      }
    }
  }

  @Test
  void shouldEndOneConnectionOnlyWhenItsQueuePairFails() {
    try (Transfers transfers = new TestConfig().open();
        Peer victim = peer(transfers, 1);
        Peer other = peer(transfers, 1)) {
      long number = Integer.toUnsignedLong(victim.serverQueuePair());
      FakeDevice.arm(
          Fault.ASYNC_EVENT, Operation.WRITE_OR_READ, 0, 1, number << 32 | QP_ACCESS_ERROR);
      FakeDevice.eventually(() -> rail(transfers, 1).connections() == 1, "ended");

      assertFails(Failure.NO_SUCH_CONNECTION, () -> transfers.lease(victim.id(), Peer.OWNER));
      other.get(transfers, 0, Peer.random(SIZE, 2));
      assertThat(rail(transfers, 1).up()).isTrue();
      assertThat(rail(transfers, 1).outages()).isZero();
    }
  }

  private static void assertFails(
      Failure failure, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            TransferException.class, e -> assertThat(e.failure()).isEqualTo(failure));
  }
}
