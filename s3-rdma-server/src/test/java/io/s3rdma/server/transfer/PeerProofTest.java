package io.s3rdma.server.transfer;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.rdma.Access;
import io.s3rdma.rdma.FakeDevice;
import io.s3rdma.rdma.LiveObjects;
import io.s3rdma.rdma.MemoryRegion;
import io.s3rdma.rdma.Rdma;
import io.s3rdma.rdma.TestEnd;
import io.s3rdma.rdma.wire.ConnectionId;
import io.s3rdma.rdma.wire.RemoteDescriptor;
import io.s3rdma.server.transfer.TransferException.Failure;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** P-2.10, P-2.11: no object byte before the peer has told what was written into its memory. */
@Tag("device")
final class PeerProofTest {
  private static final int CHUNK = TestConfig.CHUNK;
  private static final String OTHER = "OTHER";

  private final TestConfig config = new TestConfig();
  private LiveObjects before;
  private Transfers transfers;
  private Peer peer;
  private MemorySegment nonceMemory;
  private MemoryRegion region;

  @BeforeEach
  void open() {
    before = Rdma.liveObjects();
    config.errorBudget = 2 * PeerBudgets.REFUSAL;
    config.connectionIdleSeconds = 2;
    transfers = config.open();
    peer = new Peer(CHUNK);
    nonceMemory = peer.end().memory(PeerProof.BYTES);
    region =
        peer.end().domain().register(nonceMemory, Set.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE));
  }

  @AfterEach
  void leavesNothingAlive() {
    region.close();
    peer.close();
    transfers.close();
    assertThat(Rdma.liveObjects()).isEqualTo(before);
  }

  private static void assertFails(Failure failure, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            TransferException.class,
            e -> assertThat(e.failure()).as(e.getMessage()).isEqualTo(failure));
  }

  private Optional<RemoteDescriptor> offered() {
    return Optional.of(
        new RemoteDescriptor(region.address(), PeerProof.BYTES, region.remoteKey().value()));
  }

  private ConnectRequest requestTo(int queuePairNumber) {
    return new ConnectRequest(
        Peer.OWNER,
        peer.end().gid(),
        queuePairNumber,
        peer.end().endpoint().lid(),
        peer.end().psn(),
        OptionalInt.of(peer.end().mtuBytes()),
        OptionalInt.of(TestEnd.READS),
        Optional.empty(),
        offered());
  }

  private ConnectionId connect() {
    peer.finish(transfers.connect(requestTo(peer.end().endpoint().qpNumber())));
    return peer.id();
  }

  private void challenge(ConnectionId id) {
    transfers.challenge(id, Peer.OWNER, Deadline.in(30_000), Peer.NEVER);
  }

  private byte[] told() {
    return nonceMemory.toArray(JAVA_BYTE);
  }

  private void assertCarriesNothing(ConnectionId id) {
    assertFails(Failure.NOT_PROVEN, () -> transfers.lease(id, Peer.OWNER));
  }

  private void assertGone(ConnectionId id) {
    assertFails(Failure.NO_SUCH_CONNECTION, () -> transfers.lease(id, Peer.OWNER));
    assertThat(transfers.usage().connections()).isZero();
    assertThat(transfers.usage().slotsInUse()).isZero();
  }

  @Test
  void shouldCarryObjectsWhenTheNonceIsTold() {
    ConnectionId id = connect();
    assertCarriesNothing(id);
    challenge(id);
    assertThat(told()).isNotEqualTo(new byte[PeerProof.BYTES]);
    assertCarriesNothing(id);
    transfers.confirm(id, Peer.OWNER, told());

    byte[] content = Peer.random(CHUNK, 1);
    peer.get(transfers, 0, content);
    assertThat(peer.bytes()).isEqualTo(content);
    assertThat(peer.put(transfers, 0, CHUNK)).isEqualTo(content);
  }

  @Test
  void shouldEndTheConnectionWhenTheNonceIsWrong() {
    ConnectionId id = connect();
    challenge(id);
    byte[] wrong = told();
    wrong[31] ^= 1;
    assertFails(Failure.NOT_PROVEN, () -> transfers.confirm(id, Peer.OWNER, wrong));
    assertGone(id);
    assertFails(Failure.NO_SUCH_CONNECTION, () -> transfers.confirm(id, Peer.OWNER, told()));
  }

  @Test
  void shouldCoolDownWhenProofsAreWrongAgainAndAgain() { // P-2.12
    ConnectionId id = connect();
    assertThat(transfers.isCoolingDown(Peer.OWNER, peer.end().gid())).isFalse();
    for (int i = 0; i < 4; i++) { // one more than fills it, since it also refills
      assertFails(
          Failure.NOT_PROVEN, () -> transfers.confirm(id, Peer.OWNER, new byte[PeerProof.BYTES]));
    }
    assertThat(transfers.isCoolingDown(Peer.OWNER, peer.end().gid())).isTrue();
    assertThat(transfers.isCoolingDown(id, Peer.OWNER)).isTrue();
    assertThat(transfers.isCoolingDown(OTHER, peer.end().gid())).isFalse();
    assertThat(transfers.isCoolingDown(id, OTHER)).as("for others it is not there").isFalse();
  }

  @Test
  void shouldTakeANonceOnceWhenItIsReplayed() {
    ConnectionId id = connect();
    challenge(id);
    byte[] first = told();
    challenge(id);
    assertThat(told()).as("each its own").isNotEqualTo(first);
    assertFails(Failure.NOT_PROVEN, () -> transfers.confirm(id, Peer.OWNER, first));
    assertGone(id);
  }

  @Test
  void shouldTakeNothingMoreWhenTheProofIsGiven() {
    ConnectionId id = connect();
    challenge(id);
    byte[] nonce = told();
    transfers.confirm(id, Peer.OWNER, nonce);
    assertFails(Failure.NOT_PROVEN, () -> transfers.confirm(id, Peer.OWNER, nonce));
    assertFails(Failure.NOT_PROVEN, () -> challenge(id));
    assertThat(told()).as("nothing is written any more").isEqualTo(nonce);
    transfers.lease(id, Peer.OWNER).close(); // as good as before
  }

  @Test
  void shouldTakeNoAnswerWhenNothingWasAsked() {
    ConnectionId id = connect();
    assertFails(Failure.NOT_PROVEN, () -> transfers.confirm(id, Peer.OWNER, told()));
    assertCarriesNothing(id);
  }

  @Test
  void shouldDenyExistenceWhenAnotherKeyConfirms() { // P-2.4
    ConnectionId id = connect();
    assertFails(
        Failure.NO_SUCH_CONNECTION,
        () -> transfers.challenge(id, OTHER, Deadline.in(30_000), Peer.NEVER));
    challenge(id);
    assertFails(Failure.NO_SUCH_CONNECTION, () -> transfers.confirm(id, OTHER, told()));
    transfers.confirm(id, Peer.OWNER, told()); // which hurt nobody
    transfers.lease(id, Peer.OWNER).close();
  }

  @Test
  void shouldExpireWhenItIsNeverProven() {
    ConnectionId id = connect();
    challenge(id);
    FakeDevice.eventually(() -> transfers.usage().connections() == 0, "it expires");
    assertGone(id);
  }

  @Test
  void shouldWriteNothingWhenTheEndpointIsSomebodyElses() {
    try (TestEnd victim = new TestEnd();
        TestEnd friend = new TestEnd()) {
      TestEnd.connect(victim, friend);
      MemorySegment memory = victim.memory(PeerProof.BYTES);
      try (MemoryRegion open =
          victim.domain().register(memory, Set.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE))) {
        assertThat(open.address()).isEqualTo(memory.address());
        ConnectionId id = transfers.connect(requestTo(victim.endpoint().qpNumber())).id();
        assertFails(Failure.FABRIC, () -> challenge(id)); // the victim's queue pair is deaf to us
        assertGone(id);
        assertThat(memory.toArray(JAVA_BYTE)).isEqualTo(new byte[PeerProof.BYTES]);
      }
    }
    assertThat(told()).isEqualTo(new byte[PeerProof.BYTES]);
  }

  @Test
  void shouldWriteNothingWhenTheRegionIsNotTheConnectionsOwn() {
    try (TestEnd victim = new TestEnd()) {
      MemorySegment memory = victim.memory(PeerProof.BYTES);
      try (MemoryRegion open =
          victim.domain().register(memory, Set.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE))) {
        ConnectRequest honest = requestTo(peer.end().endpoint().qpNumber());
        peer.finish(
            transfers.connect(
                new ConnectRequest(
                    honest.owner(),
                    honest.gid(),
                    honest.queuePairNumber(),
                    honest.lid(),
                    honest.sendPsn(),
                    honest.mtuBytes(),
                    honest.incomingReads(),
                    honest.local(),
                    Optional.of(
                        new RemoteDescriptor(
                            memory.address(), PeerProof.BYTES, open.remoteKey().value())))));
        assertFails(Failure.CLIENT_MEMORY, () -> challenge(peer.id()));
        assertGone(peer.id());
        assertThat(memory.toArray(JAVA_BYTE)).isEqualTo(new byte[PeerProof.BYTES]);
      }
    }
  }
}
