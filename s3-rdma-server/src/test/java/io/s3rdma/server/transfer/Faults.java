package io.s3rdma.server.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.rdma.Rdma;
import io.s3rdma.rdma.TransferRight;
import io.s3rdma.rdma.wire.RemoteDescriptor;
import io.s3rdma.server.transfer.TransferException.Failure;
import io.s3rdma.server.transfer.Transfers.CancelHook;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.Assertions;

/** What the fault tests have in common. */
final class Faults {
  static final int CHUNK = TestConfig.CHUNK;

  /** Of the transfers that are to fail: more chunks than are in flight at once. */
  static final int SIZE = 8 * CHUNK;

  private Faults() {}

  /** Runs a GET that must fail, and returns its failure. */
  static TransferException failingGet(Transfers transfers, Peer peer, Deadline deadline) {
    return failingGet(transfers, peer, Peer.sourceOf(new byte[SIZE]), deadline, Peer.NEVER);
  }

  static TransferException failingGet(
      Transfers transfers, Peer peer, ByteSource source, Deadline deadline, CancelHook cancel) {
    RemoteDescriptor at = peer.window(0, SIZE, TransferRight.REMOTE_WRITE);
    return Assertions.catchThrowableOfType(
        TransferException.class, () -> peer.get(transfers, at, source, SIZE, deadline, cancel));
  }

  /** Runs a PUT that must fail, and returns its failure. */
  static TransferException failingPut(
      Transfers transfers, Peer peer, ByteSink sink, Deadline deadline) {
    RemoteDescriptor at = peer.window(0, SIZE, TransferRight.REMOTE_READ);
    return Assertions.catchThrowableOfType(
        TransferException.class, () -> peer.put(transfers, at, sink, SIZE, deadline, Peer.NEVER));
  }

  static void assertFailure(TransferException e, Failure failure) {
    assertThat(e).isNotNull();
    assertThat(e.failure()).as(e.getMessage()).isEqualTo(failure);
  }

  /** P-2.5: the connection is gone, and nothing that it used is still in use. */
  static void assertAllBack(Transfers transfers) {
    Transfers.Usage usage = transfers.usage();
    assertThat(usage.slotsInUse()).isZero();
    assertThat(usage.slotsLost()).isZero();
    assertThat(usage.drainFailures()).isZero();
    assertThat(usage.connections()).isZero();
  }

  /** A new connection carries data, whatever happened to others. */
  static void assertTransfersWork(Transfers transfers) {
    long pairs = Rdma.liveObjects().queuePairs();
    try (Peer peer = Peer.connected(transfers, SIZE)) {
      byte[] content = Peer.random(SIZE, 77);
      peer.get(transfers, 0, content);
      assertThat(peer.put(transfers, 0, SIZE)).isEqualTo(content);
      transfers.disconnect(peer.id(), Peer.OWNER);
    }
    assertThat(Rdma.liveObjects().queuePairs()).isEqualTo(pairs);
  }

  static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  static <T> T result(CompletableFuture<T> future) {
    return future.orTimeout(30, TimeUnit.SECONDS).join();
  }
}
