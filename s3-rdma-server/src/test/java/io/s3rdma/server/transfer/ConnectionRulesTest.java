package io.s3rdma.server.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.rdma.FakeDevice;
import io.s3rdma.rdma.GidType;
import io.s3rdma.rdma.LiveObjects;
import io.s3rdma.rdma.QueuePairInfo;
import io.s3rdma.rdma.RailFinder;
import io.s3rdma.rdma.RailFinder.FoundRail;
import io.s3rdma.rdma.Rdma;
import io.s3rdma.rdma.TestEnd;
import io.s3rdma.rdma.TransferRight;
import io.s3rdma.rdma.wire.ConnectionId;
import io.s3rdma.rdma.wire.Gid;
import io.s3rdma.rdma.wire.RemoteDescriptor;
import io.s3rdma.server.transfer.TransferException.Failure;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Section 2 of the contract at the server. */
@Tag("device")
final class ConnectionRulesTest {
  private static final int CHUNK = TestConfig.CHUNK;

  private LiveObjects before;

  @BeforeEach
  void count() {
    before = Rdma.liveObjects();
  }

  @AfterEach
  void leavesNothingAlive() {
    assertThat(Rdma.liveObjects()).isEqualTo(before);
  }

  private static void assertFails(Failure failure, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            TransferException.class, e -> assertThat(e.failure()).isEqualTo(failure));
  }

  private static QueuePairInfo serverSide(Transfers transfers, ConnectionId id) {
    try (Transfers.Lease lease = transfers.lease(id, Peer.OWNER)) {
      return lease.connection().queuePair().query();
    }
  }

  @Test
  void shouldGrantNoRemoteRightWhenConnected() { // P-2.9
    try (Transfers transfers = new TestConfig().open();
        Peer peer = Peer.connected(transfers, CHUNK)) {
      QueuePairInfo info = serverSide(transfers, peer.id());

      assertThat(info.state()).isEqualTo(QueuePairInfo.State.READY_TO_SEND);
      assertThat(info.remoteRights()).isEmpty();
      assertThat(info.retries()).isBetween(0, 6); // rdma-practice 6.3
      assertThat(info.timeout()).isPositive();
      assertThat(info.remoteNumber()).isEqualTo(peer.end().endpoint().qpNumber());
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "1, 1", "2, 2", "4, 4"})
  void shouldLimitReadsWhenPeerAcceptsFew(int stated, int used) { // P-2.2; 0: says nothing
    try (Transfers transfers = new TestConfig().open();
        Peer peer = new Peer(8 * CHUNK)) {
      OptionalInt reads = stated == 0 ? OptionalInt.empty() : OptionalInt.of(stated);
      ConnectAnswer answer =
          transfers.connect(peer.request(Peer.OWNER, OptionalInt.of(peer.end().mtuBytes()), reads));
      peer.finish(answer);

      assertThat(answer.outgoingReads()).isEqualTo(used);
      assertThat(serverSide(transfers, answer.id()).outgoingReads()).isEqualTo(used);
      byte[] content = Peer.random(8 * CHUNK, 3);
      peer.fill(content);
      assertThat(peer.put(transfers, 0, content.length)).isEqualTo(content);
    }
  }

  @ParameterizedTest
  @CsvSource({"0", "256", "1024", "2048", "4096"})
  void shouldUseSmallerMtuWhenPeerStatesOne(int stated) { // P-2.2; 0: says nothing
    try (Transfers transfers = new TestConfig().open();
        Peer peer = new Peer(2 * CHUNK)) {
      OptionalInt mtu = stated == 0 ? OptionalInt.empty() : OptionalInt.of(stated);
      int expected = Math.min(stated == 0 ? 4096 : stated, peer.end().mtuBytes());
      ConnectAnswer answer =
          transfers.connect(peer.request(Peer.OWNER, mtu, OptionalInt.of(TestEnd.READS)));
      peer.finish(answer);

      assertThat(answer.mtuBytes()).isEqualTo(expected);
      int psn = serverSide(transfers, answer.id()).sendPsn();
      peer.get(transfers, 0, Peer.random(2 * CHUNK, 4));
      QueuePairInfo info = serverSide(transfers, answer.id());
      assertThat(info.mtuBytes()).isEqualTo(expected);
      // P-5.1
      assertThat((info.sendPsn() - psn) & 0xffffff).isEqualTo(2 * CHUNK / expected);
    }
  }

  @Test
  void shouldAnswerRailsGidWhenConnected() { // rdma-practice 6.1
    FoundRail rail = RailFinder.find(Optional.empty(), 1, Optional.empty()).rail().orElseThrow();
    TestConfig config = new TestConfig();
    config.gidAddress = Optional.of(rail.gid().gid().toInetAddress());
    try (Transfers transfers = config.open();
        Peer peer = Peer.connected(transfers, CHUNK)) {
      ConnectAnswer answer = transfers.connect(peer.request(Peer.OWNER));

      assertThat(rail.gid().type()).isEqualTo(GidType.ROCE_V2);
      assertThat(answer.endpoint().gid()).isEqualTo(rail.gid().gid());
      assertThat(answer.endpoint().gid().isLinkLocal()).isFalse();
      assertThat(answer.sendPsn().value()).isBetween(1, 0xffffff);
      assertThat(answer.id()).isNotEqualTo(peer.id());
      transfers.disconnect(answer.id(), Peer.OWNER);
    }
  }

  @Test
  void shouldNameCauseWhenAddressIsNoGid() throws Exception {
    TestConfig config = new TestConfig();
    config.gidAddress = Optional.of(InetAddress.getByName("192.0.2.1"));

    assertThatThrownBy(config::open)
        .hasMessageContaining("192.0.2.1")
        .isInstanceOfSatisfying(
            TransferException.class, e -> assertThat(e.failure()).isEqualTo(Failure.NO_RAIL));
  }

  @Test
  void shouldDenyExistenceWhenKeyIsForeign() { // P-2.4
    try (Transfers transfers = new TestConfig().open();
        Peer peer = Peer.connected(transfers, CHUNK)) {
      assertFails(Failure.NO_SUCH_CONNECTION, () -> transfers.lease(peer.id(), "OTHER"));
      assertFails(Failure.NO_SUCH_CONNECTION, () -> transfers.lease(peer.id(), ""));
      assertFails(
          Failure.NO_SUCH_CONNECTION, () -> transfers.lease(ConnectionId.random(), Peer.OWNER));
      transfers.disconnect(peer.id(), "OTHER"); // as if it did not exist
      byte[] content = Peer.random(CHUNK, 1);
      peer.get(transfers, 0, content);
      assertThat(peer.bytes()).isEqualTo(content);
    }
  }

  @Test
  void shouldBeBusyWhenLeasedTwice() { // P-2.5
    try (Transfers transfers = new TestConfig().open();
        Peer peer = Peer.connected(transfers, CHUNK)) {
      try (Transfers.Lease lease = transfers.lease(peer.id(), Peer.OWNER)) {
        assertThat(lease.connection().id()).isEqualTo(peer.id());
        assertFails(Failure.CONNECTION_BUSY, () -> transfers.lease(peer.id(), Peer.OWNER));
        // P-2.4 comes first: a foreign key does not even learn that it is busy.
        assertFails(Failure.NO_SUCH_CONNECTION, () -> transfers.lease(peer.id(), "OTHER"));
      }
      transfers.lease(peer.id(), Peer.OWNER).close();
    }
  }

  @Test
  void shouldBeGoneWhenDisconnectedTwice() { // P-2.3
    try (Transfers transfers = new TestConfig().open();
        Peer peer = Peer.connected(transfers, CHUNK)) {
      long pairs = Rdma.liveObjects().queuePairs();
      transfers.disconnect(peer.id(), Peer.OWNER);
      transfers.disconnect(peer.id(), Peer.OWNER);
      transfers.disconnect(ConnectionId.random(), Peer.OWNER);

      assertThat(Rdma.liveObjects().queuePairs()).isEqualTo(pairs - 1);
      assertThat(transfers.usage().connections()).isZero();
      assertFails(Failure.NO_SUCH_CONNECTION, () -> transfers.lease(peer.id(), Peer.OWNER));
    }
  }

  @Test
  void shouldCancelTransferWhenBusyOneIsDisconnected() throws Exception { // P-2.3, P-4.8
    CountDownLatch reading = new CountDownLatch(3);
    CountDownLatch disconnected = new CountDownLatch(1);
    ByteSource source =
        (position, target) -> {
          reading.countDown();
          if (reading.getCount() == 0) {
            await(disconnected);
          }
          target.put(new byte[target.remaining()]);
        };
    try (Transfers transfers = new TestConfig().open();
        Peer peer = Peer.connected(transfers, 8 * CHUNK)) {
      RemoteDescriptor at = peer.window(0, 8 * CHUNK, TransferRight.REMOTE_WRITE);
      CompletableFuture<?> transfer =
          CompletableFuture.runAsync(
              () -> peer.get(transfers, at, source, 8 * CHUNK, Deadline.in(60_000), Peer.NEVER));
      await(reading);
      transfers.disconnect(peer.id(), Peer.OWNER);
      transfers.disconnect(peer.id(), Peer.OWNER);
      disconnected.countDown();

      assertThatThrownBy(() -> transfer.get(20, TimeUnit.SECONDS))
          .cause()
          .isInstanceOfSatisfying(
              TransferException.class, e -> assertThat(e.failure()).isEqualTo(Failure.CANCELLED));
      assertThat(transfers.usage().connections()).isZero();
      assertThat(transfers.usage().slotsInUse()).isZero();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shouldExpireWhenIdleTooLong() { // P-2.6
    TestConfig config = new TestConfig();
    config.connectionIdleSeconds = 1;
    try (Transfers transfers = config.open();
        Peer idle = Peer.connected(transfers, CHUNK);
        Peer busy = Peer.connected(transfers, CHUNK)) {
      try (Transfers.Lease lease = transfers.lease(busy.id(), Peer.OWNER)) {
        FakeDevice.eventually(() -> transfers.usage().connections() == 1, "the idle one expires");
        assertThat(lease.connection().state()).isEqualTo(Connection.State.BUSY);
      }
      assertFails(Failure.NO_SUCH_CONNECTION, () -> transfers.lease(idle.id(), Peer.OWNER));
      transfers.lease(busy.id(), Peer.OWNER).close();
      FakeDevice.eventually(() -> transfers.usage().connections() == 0, "the other one expires");
    }
  }

  @Test
  void shouldRefuseWhenLimitsAreReached() { // P-2.6
    TestConfig config = new TestConfig();
    config.connectionsMax = 3;
    config.connectionsPerKeyMax = 2;
    try (Transfers transfers = config.open();
        Peer peer = new Peer(CHUNK)) {
      ConnectAnswer first = transfers.connect(peer.request("A"));
      transfers.connect(peer.request("A"));
      assertThatThrownBy(() -> transfers.connect(peer.request("A")))
          .hasMessageContaining("2")
          .isInstanceOfSatisfying(
              TransferException.class, e -> assertThat(e.failure()).isEqualTo(Failure.LIMIT));
      transfers.connect(peer.request("B"));
      assertThatThrownBy(() -> transfers.connect(peer.request("C")))
          .hasMessageContaining("all 3 connections");
      assertThat(transfers.usage().connections()).isEqualTo(3);

      transfers.disconnect(first.id(), "A"); // makes room for anyone
      transfers.connect(peer.request("C"));
      assertFails(Failure.LIMIT, () -> transfers.connect(peer.request("A")));
    }
  }

  @Test
  void shouldRefuseWhenConnectsComeTooFast() { // P-2.6
    TestConfig config = new TestConfig();
    config.connectsPerSecondMax = 1;
    try (Transfers transfers = config.open();
        Peer peer = new Peer(CHUNK)) {
      transfers.connect(peer.request("A"));
      List<TransferException> refusals = new ArrayList<>();
      FakeDevice.eventually(
          () -> {
            try {
              transfers.connect(peer.request("A"));
              return true;
            } catch (TransferException e) {
              refusals.add(e);
              return false;
            }
          },
          "a connect a second later");
      assertThat(refusals)
          .isNotEmpty()
          .allSatisfy(e -> assertThat(e.failure()).isEqualTo(Failure.LIMIT));
      assertThat(transfers.usage().connections()).isEqualTo(2);
    }
  }

  @Test
  void shouldLeakNothingWhenHandshakeFails() throws Exception {
    Gid ipv6 = Gid.ofInetAddress(InetAddress.getByName("2001:db8::7"));
    try (Transfers transfers = new TestConfig().open();
        Peer peer = new Peer(CHUNK)) {
      LiveObjects alive = Rdma.liveObjects();
      ConnectRequest good = peer.request("A");
      OptionalInt mtu = good.mtuBytes();
      // Another family; and a peer that accepts no READ at all, found out at the last step.
      assertFails(
          Failure.BAD_ENDPOINT,
          () ->
              transfers.connect(
                  new ConnectRequest(
                      "A", ipv6, 17, 0, good.sendPsn(), mtu, OptionalInt.of(1), Optional.empty())));
      assertFails(
          Failure.BAD_ENDPOINT,
          () ->
              transfers.connect(
                  peer.request("A", OptionalInt.of(300), OptionalInt.of(TestEnd.READS))));
      assertFails(
          Failure.BAD_ENDPOINT, () -> transfers.connect(peer.request("A", mtu, OptionalInt.of(0))));

      assertThat(Rdma.liveObjects()).isEqualTo(alive);
      assertThat(transfers.usage().connections()).isZero();
    }
  }
}
