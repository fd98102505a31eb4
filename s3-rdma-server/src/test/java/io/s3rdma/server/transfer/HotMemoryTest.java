package io.s3rdma.server.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.rdma.LiveObjects;
import io.s3rdma.rdma.ProtectionDomain;
import io.s3rdma.rdma.RailFinder;
import io.s3rdma.rdma.Rdma;
import io.s3rdma.rdma.RdmaDevice;
import io.s3rdma.rdma.TransferRight;
import io.s3rdma.rdma.wire.RemoteDescriptor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
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

  /** Data with a name; counts how often it is asked. */
  private static final class Data implements ByteSource {
    private final String id;
    private final byte[] content;
    private final int first;
    private int calls;
    private boolean broken;

    Data(String id, byte[] content, int first) {
      this.id = id;
      this.content = content;
      this.first = first;
    }

    @Override
    public void readFully(long position, ByteBuffer target) throws IOException {
      calls++;
      if (broken && position > 0) {
        throw new IOException("broken on purpose");
      }
      target.put(content, first + (int) position, target.remaining());
    }

    @Override
    public Optional<SourceName> name() {
      return Optional.of(new SourceName(id, content.length, first));
    }
  }

  private static Transfers open(int hotChunks) {
    TestConfig config = new TestConfig();
    config.hotChunks = hotChunks;
    return config.open();
  }

  /** GETs the data from its first byte on and checks each byte of the peer's memory. */
  private static void get(Transfers transfers, Peer peer, Data data, int length) {
    peer.fill(new byte[length]);
    RemoteDescriptor at = peer.window(0, length, TransferRight.REMOTE_WRITE);
    peer.get(transfers, at, data, length, Deadline.in(60_000), Peer.NEVER);
    byte[] expected = Arrays.copyOfRange(data.content, data.first, data.first + length);
    assertThat(Arrays.mismatch(Arrays.copyOf(peer.bytes(), length), expected)).isEqualTo(-1);
  }

  @Test
  void shouldNotAskTheSourceWhenDataAreReadForTheThirdTime() {
    Data data = new Data("a", Peer.random(SIZE, 1), 0);
    try (Transfers transfers = open(4);
        Peer peer = Peer.connected(transfers, SIZE)) {
      get(transfers, peer, data, SIZE);
      assertThat(transfers.usage().hotFills()).as("read once is not hot").isZero();
      get(transfers, peer, data, SIZE);
      assertThat(transfers.usage().hotFills()).isEqualTo(4);
      assertThat(data.calls).isEqualTo(8);
      get(transfers, peer, data, SIZE);
      assertThat(data.calls).isEqualTo(8);
      assertThat(transfers.usage().hotHits()).isEqualTo(4);
      assertThat(transfers.usage().slotsInUse()).isZero();
    }
  }

  @Test
  void shouldSendEachDataItsOwnBytesWhenTheyTakeEachOthersPlace() {
    Data one = new Data("a", Peer.random(SIZE, 1), 0);
    Data other = new Data("b", Peer.random(SIZE, 2), 0);
    try (Transfers transfers = open(5);
        Peer peer = Peer.connected(transfers, SIZE)) {
      for (int i = 0; i < 4; i++) {
        get(transfers, peer, one, SIZE);
        get(transfers, peer, other, SIZE);
      }
      assertThat(transfers.usage().hotFills()).isGreaterThan(8);
    }
  }

  @Test
  void shouldKeepNothingWhenDataAreLargerThanAllOfTheMemory() {
    Data data = new Data("a", Peer.random(SIZE, 1), 0);
    try (Transfers transfers = open(3);
        Peer peer = Peer.connected(transfers, SIZE)) {
      for (int i = 0; i < 3; i++) {
        get(transfers, peer, data, SIZE);
      }
      assertThat(transfers.usage().hotFills()).isZero();
    }
  }

  @Test
  void shouldSendTheRangesBytesWhenTheDataAreKept() {
    byte[] content = Peer.random(SIZE, 1);
    try (Transfers transfers = open(4);
        Peer peer = Peer.connected(transfers, SIZE)) {
      get(transfers, peer, new Data("a", content, 0), SIZE);
      get(transfers, peer, new Data("a", content, 0), SIZE);

      Data aligned = new Data("a", content, CHUNK);
      get(transfers, peer, aligned, CHUNK + 7);
      assertThat(aligned.calls).as("a chunk, and the start of one").isZero();
      Data odd = new Data("a", content, 5);
      get(transfers, peer, odd, CHUNK);
      assertThat(odd.calls).isEqualTo(1);
    }
  }

  @Test
  void shouldReadAgainWhenTheSourceFailedWhileItWasKept() {
    Data data = new Data("a", Peer.random(SIZE, 1), 0);
    try (Transfers transfers = open(4)) {
      try (Peer peer = Peer.connected(transfers, SIZE)) {
        get(transfers, peer, data, SIZE);
        data.broken = true;
        assertThatThrownBy(() -> get(transfers, peer, data, SIZE))
            .isInstanceOf(TransferException.class)
            .hasMessageContaining("broken on purpose");
      }
      data.broken = false;
      try (Peer peer = Peer.connected(transfers, SIZE)) {
        get(transfers, peer, data, SIZE);
        get(transfers, peer, data, SIZE);
      }
      assertThat(transfers.usage().hotFills()).isEqualTo(4);
    }
  }

  @Test
  void shouldNotPutOtherBytesIntoAChunkWhileItIsPinned() throws IOException {
    Data one = new Data("a", Peer.random(CHUNK, 1), 0);
    Data other = new Data("b", Peer.random(CHUNK, 2), 0);
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
