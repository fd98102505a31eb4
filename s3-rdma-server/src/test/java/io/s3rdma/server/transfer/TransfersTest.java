package io.s3rdma.server.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.rdma.LiveObjects;
import io.s3rdma.rdma.Rdma;
import io.s3rdma.rdma.TransferRight;
import io.s3rdma.rdma.wire.RemoteDescriptor;
import io.s3rdma.server.transfer.TransferException.Failure;
import io.s3rdma.server.transfer.Transfers.Moved;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** P-4.2, P-4.3: bytes go exactly where they belong, in both directions. */
@Tag("device")
final class TransfersTest {
  private static final int CHUNK = TestConfig.CHUNK;
  private static final int INTERIOR = 777;

  private LiveObjects before;

  @BeforeEach
  void count() {
    before = Rdma.liveObjects();
  }

  @AfterEach
  void leavesNothingAlive() {
    assertThat(Rdma.liveObjects()).isEqualTo(before);
  }

  private static Transfers open(int chunksInFlight) {
    TestConfig config = new TestConfig();
    config.chunksInFlight = chunksInFlight;
    return config.open();
  }

  private static void assertOnlyPartIs(Peer peer, int offset, byte[] part) {
    byte[] memory = peer.bytes();
    byte[] expected = new byte[memory.length];
    Arrays.fill(expected, Peer.GUARD);
    System.arraycopy(part, 0, expected, offset, part.length);
    assertThat(Arrays.mismatch(memory, expected)).isEqualTo(-1);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "4095, 4",
    "16383, 4",
    "16384, 4",
    "16385, 4",
    "16385, 1",
    "49169, 2",
    "262144, 1",
    "262144, 16",
    "1000003, 4",
    "1000003, 64"
  })
  void shouldWriteExactlyTheBytesWhenGetting(int size, int chunksInFlight) {
    byte[] content = Peer.random(size, size);
    try (Transfers transfers = open(chunksInFlight);
        Peer peer = Peer.connected(transfers, size + 4096)) {
      Moved moved = peer.get(transfers, INTERIOR, content);

      assertThat(moved).isEqualTo(new Moved(size, (size + CHUNK - 1) / CHUNK, CHUNK));
      assertOnlyPartIs(peer, INTERIOR, content);
      assertThat(transfers.usage().slotsInUse()).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "4095, 4",
    "16383, 4",
    "16384, 4",
    "16385, 4",
    "16385, 1",
    "49169, 2",
    "262144, 1",
    "262144, 16",
    "1000003, 4",
    "1000003, 64"
  })
  void shouldReadExactlyTheBytesWhenPutting(int size, int chunksInFlight) {
    byte[] content = Peer.random(size + 2 * INTERIOR, size);
    try (Transfers transfers = open(chunksInFlight);
        Peer peer = Peer.connected(transfers, content.length)) {
      peer.fill(content);
      byte[] got = peer.put(transfers, INTERIOR, size);

      assertThat(Arrays.mismatch(got, Arrays.copyOfRange(content, INTERIOR, INTERIOR + size)))
          .isEqualTo(-1);
      assertThat(Arrays.mismatch(peer.bytes(), content)).as("nothing is written").isEqualTo(-1);
      assertThat(transfers.usage().slotsInUse()).isZero();
    }
  }

  @Test
  void shouldStartAtWindowsFirstByteWhenWindowIsLarger() { // P-4.2
    byte[] content = Peer.random(3 * CHUNK, 1);
    try (Transfers transfers = open(4);
        Peer peer = Peer.connected(transfers, 5 * CHUNK)) {
      RemoteDescriptor at = peer.window(10, 4 * CHUNK, TransferRight.REMOTE_WRITE);
      peer.get(
          transfers, at, Peer.sourceOf(content), content.length, Deadline.in(60_000), Peer.NEVER);

      assertOnlyPartIs(peer, 10, content);
    }
  }

  @Test
  void shouldAskSourceInOrderWhenGetting() {
    int size = 10 * CHUNK + 5;
    List<Long> positions = new ArrayList<>();
    List<Integer> lengths = new ArrayList<>();
    ByteSource source =
        (position, target) -> {
          positions.add(position);
          lengths.add(target.remaining());
          target.put(new byte[target.remaining()]);
        };
    try (Transfers transfers = open(4);
        Peer peer = Peer.connected(transfers, size)) {
      RemoteDescriptor at = peer.window(0, size, TransferRight.REMOTE_WRITE);
      peer.get(transfers, at, source, size, Deadline.in(60_000), Peer.NEVER);
    }
    for (int i = 0; i <= 10; i++) {
      assertThat(positions.get(i)).isEqualTo((long) i * CHUNK);
      assertThat(lengths.get(i)).isEqualTo(i < 10 ? CHUNK : 5);
    }
    assertThat(positions).hasSize(11);
  }

  @Test
  void shouldUseConnectionAgainWhenTransferEnded() { // P-2.5
    try (Transfers transfers = open(4);
        Peer peer = Peer.connected(transfers, 4 * CHUNK)) {
      for (int i = 0; i < 20; i++) {
        byte[] content = Peer.random(2 * CHUNK + i, i);
        peer.get(transfers, i, content);
        assertThat(Arrays.mismatch(peer.put(transfers, i, content.length), content)).isEqualTo(-1);
      }
      assertThat(transfers.usage().connections()).isEqualTo(1);
    }
  }

  @Test
  void shouldMoveAllWhenTransfersShareFewSlots() throws Exception {
    TestConfig config = new TestConfig();
    config.slots = 3;
    config.chunksInFlight = 3;
    int workers = 4;
    try (Transfers transfers = config.open();
        ExecutorService threads = Executors.newFixedThreadPool(workers)) {
      List<Future<Boolean>> results = new ArrayList<>();
      for (int i = 0; i < workers; i++) {
        int seed = i;
        results.add(threads.submit(() -> roundTrips(transfers, seed)));
      }
      for (Future<Boolean> result : results) {
        assertThat(result.get(100, TimeUnit.SECONDS)).isTrue();
      }
      assertThat(transfers.usage().slotsInUse()).isZero();
      assertThat(transfers.usage().strays()).isZero();
    }
  }

  private static boolean roundTrips(Transfers transfers, int seed) {
    try (Peer peer = Peer.connected(transfers, 8 * CHUNK)) {
      for (int i = 0; i < 5; i++) {
        byte[] content = Peer.random(7 * CHUNK + seed, 31L * seed + i);
        peer.get(transfers, 0, content);
        if (!Arrays.equals(peer.put(transfers, 0, content.length), content)) {
          return false;
        }
      }
      return true;
    }
  }

  @Test
  void shouldFailWhenClientsKeyIsWrong() { // section 6: RdmaAccessRefused
    try (Transfers transfers = open(4);
        Peer peer = Peer.connected(transfers, CHUNK)) {
      RemoteDescriptor at = peer.window(0, CHUNK, TransferRight.REMOTE_READ);

      assertThatThrownBy(
              () ->
                  peer.get(
                      transfers,
                      at,
                      Peer.sourceOf(new byte[CHUNK]),
                      CHUNK,
                      Deadline.in(60_000),
                      Peer.NEVER))
          .isInstanceOfSatisfying(
              TransferException.class,
              e -> assertThat(e.failure()).isEqualTo(Failure.CLIENT_MEMORY));
      // P-2.5: a failed transfer ends the connection.
      assertThat(transfers.usage().connections()).isZero();
      assertThat(transfers.usage().slotsInUse()).isZero();
      assertOnlyPartIs(peer, 0, new byte[0]);
    }
  }

  @Test
  void shouldFailAndFreeWhenPeerIsGone() { // section 6: RdmaTransferFailed
    try (Transfers transfers = open(4)) {
      Peer peer = Peer.connected(transfers, 8 * CHUNK);
      RemoteDescriptor at = peer.window(0, 8 * CHUNK, TransferRight.REMOTE_WRITE);
      peer.end().pair().toError();

      assertThatThrownBy(
              () ->
                  peer.get(
                      transfers,
                      at,
                      Peer.sourceOf(new byte[8 * CHUNK]),
                      8 * CHUNK,
                      Deadline.in(60_000),
                      Peer.NEVER))
          .isInstanceOfSatisfying(
              TransferException.class, e -> assertThat(e.failure()).isEqualTo(Failure.FABRIC));
      assertThat(transfers.usage().slotsInUse()).isZero();
      assertThat(transfers.usage().connections()).isZero();
      peer.close();
    }
  }
}
