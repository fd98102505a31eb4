package io.s3rdma.server.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.rdma.TransferRight;
import io.s3rdma.server.transfer.TransferException.Failure;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Chunks that are kept go out several in a post, of which the last alone tells that it is done. */
@Tag("device")
final class HotBatchTest {
  private static final int CHUNK = TestConfig.CHUNK;
  private static final int CHUNKS = 100;
  private static final int SIZE = (CHUNKS - 1) * CHUNK + 5;

  private final HotData data = new HotData("a", Peer.random(SIZE, 1), 0);
  private Transfers transfers;
  private Peer peer;

  @BeforeEach
  void keep() {
    TestConfig config = new TestConfig();
    config.hotChunks = CHUNKS;
    transfers = config.open();
    peer = Peer.connected(transfers, SIZE);
    data.get(transfers, peer, SIZE);
    data.get(transfers, peer, SIZE);
    assertThat(transfers.usage().hotFills()).isEqualTo(CHUNKS);
  }

  @AfterEach
  void close() {
    peer.close();
    transfers.close();
  }

  private int ofConnection(ToIntFunction<Connection> figure) {
    try (Transfers.Lease lease = transfers.lease(peer.id(), Peer.OWNER)) {
      return figure.applyAsInt(lease.connection());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, CHUNK, CHUNK + 1, 16 * CHUNK, 16 * CHUNK + 1, 65 * CHUNK, SIZE})
  void shouldMoveEveryByteWhenPostsHoldSeveralChunks(int length) {
    int calls = data.calls();
    int before = ofConnection(Connection::sendPsn);
    assertThat(data.get(transfers, peer, length).chunks()).isEqualTo(Math.ceilDiv(length, CHUNK));

    int packets = Math.ceilDiv(length, ofConnection(Connection::mtuBytes));
    assertThat(ofConnection(Connection::sendPsn) - before & 0xffffff).isEqualTo(packets); // P-5.1
    assertThat(data.calls()).isEqualTo(calls);
    assertThat(transfers.usage().slotsInUse()).isZero();
    assertThat(transfers.usage().strays()).isZero();
  }

  @Test
  void shouldBeginWherePsnWasLeftAndAskAnewWhenSomethingWasPostedSince() { // P-5.1
    int left = ofConnection(Connection::psnAtEnd);
    assertThat(ofConnection(Connection::psnAtStart)).isEqualTo(left);

    ofConnection(Connection::psnAtEnd);
    data.get(transfers, peer, SIZE); // a bare transfer, that no evidence is asked of
    int now = ofConnection(Connection::sendPsn);
    assertThat(now).isNotEqualTo(left);
    assertThat(ofConnection(Connection::psnAtStart)).isEqualTo(now);
  }

  @Test
  void shouldTellTheCauseAndGiveAllBackWhenAKeyIsRefused() {
    // A window that is not to be written.
    TransferException e = data.failingGet(transfers, peer, SIZE, TransferRight.REMOTE_READ);

    Faults.assertFailure(e, Failure.CLIENT_MEMORY);
    Faults.assertAllBack(transfers);
    assertThat(transfers.usage().strays()).isZero();
    try (Peer other = Peer.connected(transfers, SIZE)) {
      data.get(transfers, other, SIZE);
    }
  }
}
