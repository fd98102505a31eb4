package io.s3rdma.server.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.rdma.LiveObjects;
import io.s3rdma.rdma.ProtectionDomain;
import io.s3rdma.rdma.RailFinder;
import io.s3rdma.rdma.Rdma;
import io.s3rdma.rdma.RdmaDevice;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is read again and again is sent from where it is kept, and is always the right bytes. */
@Tag("device")
final class HotMemoryTest {
  private static final int CHUNK = TestConfig.CHUNK;
  private static final int SIZE = 3 * CHUNK + 5;

  private LiveObjects before;

  @BeforeEach
  void count() {
    before = Rdma.liveObjects();
  }

  @AfterEach
  void leavesNothingAlive() {
    assertThat(Rdma.liveObjects()).isEqualTo(before);
  }

  private static Transfers open(int hotChunks) {
    TestConfig config = new TestConfig();
    config.hotChunks = hotChunks;
    return config.open();
  }

  @Test
  void shouldNotAskTheSourceWhenDataAreReadForTheThirdTime() {
    HotData data = new HotData("a", Peer.random(SIZE, 1), 0);
    try (Transfers transfers = open(4);
        Peer peer = Peer.connected(transfers, SIZE)) {
      data.get(transfers, peer, SIZE);
      assertThat(transfers.usage().hotFills()).as("read once is not hot").isZero();
      data.get(transfers, peer, SIZE);
      assertThat(transfers.usage().hotFills()).isEqualTo(4);
      assertThat(data.calls()).isEqualTo(8);
      data.get(transfers, peer, SIZE);
      assertThat(data.calls()).isEqualTo(8);
      assertThat(transfers.usage().hotHits()).isEqualTo(4);
      assertThat(transfers.usage().slotsInUse()).isZero();
    }
  }

  @Test
  void shouldSendEachDataItsOwnBytesWhenTheyTakeEachOthersPlace() {
    HotData one = new HotData("a", Peer.random(SIZE, 1), 0);
    HotData other = new HotData("b", Peer.random(SIZE, 2), 0);
    try (Transfers transfers = open(5);
        Peer peer = Peer.connected(transfers, SIZE)) {
      for (int i = 0; i < 4; i++) {
        one.get(transfers, peer, SIZE);
        other.get(transfers, peer, SIZE);
      }
      assertThat(transfers.usage().hotFills()).isGreaterThan(8);
    }
  }

  @Test
  void shouldKeepNothingWhenDataAreLargerThanAllOfTheMemory() {
    HotData data = new HotData("a", Peer.random(SIZE, 1), 0);
    try (Transfers transfers = open(3);
        Peer peer = Peer.connected(transfers, SIZE)) {
      for (int i = 0; i < 3; i++) {
        data.get(transfers, peer, SIZE);
      }
      assertThat(transfers.usage().hotFills()).isZero();
    }
  }

  @Test
  void shouldSendTheRangesBytesWhenTheDataAreKept() {
    byte[] content = Peer.random(SIZE, 1);
    try (Transfers transfers = open(4);
        Peer peer = Peer.connected(transfers, SIZE)) {
      new HotData("a", content, 0).get(transfers, peer, SIZE);
      new HotData("a", content, 0).get(transfers, peer, SIZE);

      HotData aligned = new HotData("a", content, CHUNK);
      aligned.get(transfers, peer, CHUNK + 7);
      assertThat(aligned.calls()).as("a chunk, and the start of one").isZero();
      HotData odd = new HotData("a", content, 5);
      odd.get(transfers, peer, CHUNK);
      assertThat(odd.calls()).isEqualTo(1);
    }
  }

  @Test
  void shouldReadAgainWhenTheSourceFailedWhileItWasKept() {
    HotData data = new HotData("a", Peer.random(SIZE, 1), 0);
    try (Transfers transfers = open(4)) {
      try (Peer peer = Peer.connected(transfers, SIZE)) {
        data.get(transfers, peer, SIZE);
        data.broken(true);
        assertThatThrownBy(() -> data.get(transfers, peer, SIZE))
            .isInstanceOf(TransferException.class)
            .hasMessageContaining("broken on purpose");
      }
      data.broken(false);
      try (Peer peer = Peer.connected(transfers, SIZE)) {
        data.get(transfers, peer, SIZE);
        data.get(transfers, peer, SIZE);
      }
      assertThat(transfers.usage().hotFills()).isEqualTo(4);
    }
  }

  @Test
  void shouldNotPutOtherBytesIntoAChunkWhileItIsPinned() throws IOException {
    HotData one = new HotData("a", Peer.random(CHUNK, 1), 0);
    HotData other = new HotData("b", Peer.random(CHUNK, 2), 0);
    String name =
        RailFinder.find(Optional.empty(), 1, Optional.empty()).rail().orElseThrow().device();
    try (RdmaDevice device = Rdma.open(name);
        ProtectionDomain domain = device.allocateProtectionDomain();
        HotMemory memory = new HotMemory(domain, 1, CHUNK, OptionalInt.empty())) {
      HotChunk sent = memory.take(one.name().orElseThrow(), one, 0, CHUNK);
      HotChunk again = memory.take(one.name().orElseThrow(), one, 0, CHUNK);
      assertThat(again).isSameAs(sent);
      sent.unpin();
      assertThat(memory.take(other.name().orElseThrow(), other, 0, CHUNK)).isNull();
      again.unpin();
      HotChunk next = memory.take(other.name().orElseThrow(), other, 0, CHUNK);
      assertThat(next).isSameAs(sent);
      next.unpin();
    }
  }
}
