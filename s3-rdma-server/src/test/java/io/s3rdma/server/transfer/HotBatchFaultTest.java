package io.s3rdma.server.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.rdma.CompletionStatus;
import io.s3rdma.rdma.FakeDevice;
import io.s3rdma.rdma.FakeDevice.Fault;
import io.s3rdma.rdma.FakeDevice.Operation;
import io.s3rdma.rdma.TransferRight;
import io.s3rdma.server.transfer.TransferException.Failure;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A post of several kept chunks that goes wrong at any of them. */
final class HotBatchFaultTest {
  private static final int CHUNKS = 32;
  private static final int SIZE = CHUNKS * TestConfig.CHUNK;
  private static final int ENOMEM = 12;

  private final HotData data = new HotData("a", Peer.random(SIZE, 1), 0);
  private final TestConfig config = new TestConfig();
  private Transfers transfers;
  private Peer peer;

  @BeforeEach
  void keep() {
    FakeDevice.reset();
    config.hotChunks = CHUNKS;
    config.drainTimeoutMillis = 200;
    transfers = config.open();
    peer = Peer.connected(transfers, SIZE);
    data.get(transfers, peer, SIZE);
    data.get(transfers, peer, SIZE);
  }

  @AfterEach
  void close() {
    peer.close();
    transfers.close();
    FakeDevice.reset();
  }

  private TransferException failingGet() {
    return data.failingGet(transfers, peer, SIZE, TransferRight.REMOTE_WRITE);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 14, 15, 16, 31})
  void shouldTellTheStatusWhenAnyOfThemFails(int at) {
    FakeDevice.arm(Fault.STATUS, Operation.WRITE, at, 1, CompletionStatus.RETRY_EXCEEDED.code());

    TransferException e = failingGet();
    Faults.assertFailure(e, Failure.FABRIC);
    assertThat(e).hasMessageContaining(CompletionStatus.RETRY_EXCEEDED.toString());
    Faults.assertAllBack(transfers);
    assertThat(transfers.usage().strays()).isZero();
    try (Peer other = Peer.connected(transfers, SIZE)) {
      data.get(transfers, other, SIZE);
    }
  }

  @Test
  void shouldGiveAllBackWhenNoneOfAPostIsTaken() {
    FakeDevice.arm(Fault.POST_ERRNO, Operation.WRITE, 16, 1, ENOMEM);

    Faults.assertFailure(failingGet(), Failure.FABRIC);
    Faults.assertAllBack(transfers);
  }

  @Test
  void shouldPostOneByOneWhenAKeysBytesInFlightAreBounded() {
    peer.close();
    transfers.close();
    config.bytesInFlightPerKeyMax = 2L * TestConfig.CHUNK;
    keep();
    FakeDevice.arm(Fault.POST_ERRNO, Operation.WRITE, 18, 1, ENOMEM);

    Faults.assertFailure(failingGet(), Failure.FABRIC);
    Faults.assertAllBack(transfers); // a post of several would have lost its slot
  }

  @Test
  void shouldKeepThePinsForGoodWhenPartOfAPostIsTaken() {
    FakeDevice.arm(Fault.POST_ERRNO, Operation.WRITE, 18, 1, ENOMEM);

    Faults.assertFailure(failingGet(), Failure.FABRIC);
    assertThat(transfers.usage().slotsLost()).isEqualTo(1);
    assertThat(transfers.usage().drainFailures()).isEqualTo(1);
    try (Peer other = Peer.connected(transfers, SIZE)) {
      data.get(transfers, other, SIZE); // what a NIC may still read can be read by others
      HotData next = new HotData("b", Peer.random(SIZE, 2), 0);
      for (int i = 0; i < 3; i++) {
        next.get(transfers, other, SIZE);
      }
      data.get(transfers, other, SIZE);
    }
  }
}
