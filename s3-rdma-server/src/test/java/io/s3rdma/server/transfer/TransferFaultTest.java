package io.s3rdma.server.transfer;

import static io.s3rdma.server.transfer.Faults.CHUNK;
import static io.s3rdma.server.transfer.Faults.SIZE;
import static io.s3rdma.server.transfer.Faults.assertAllBack;
import static io.s3rdma.server.transfer.Faults.assertFailure;
import static io.s3rdma.server.transfer.Faults.assertTransfersWork;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.rdma.CompletionStatus;
import io.s3rdma.rdma.FakeDevice;
import io.s3rdma.rdma.FakeDevice.Fault;
import io.s3rdma.rdma.FakeDevice.Operation;
import io.s3rdma.rdma.LiveObjects;
import io.s3rdma.rdma.Rdma;
import io.s3rdma.rdma.TransferRight;
import io.s3rdma.rdma.wire.DeclineReason;
import io.s3rdma.rdma.wire.RemoteDescriptor;
import io.s3rdma.server.transfer.TransferException.Failure;
import io.s3rdma.server.transfer.Transfers.CancelHook;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each thing that can go wrong in one transfer: the right failure, and nothing left in use. */
final class TransferFaultTest {
  private static final int ENOMEM = 12;

  private LiveObjects before;
  private Transfers transfers;
  private Peer peer;

  @BeforeEach
  void connect() {
    FakeDevice.reset();
    before = Rdma.liveObjects();
    transfers = new TestConfig().open();
    peer = Peer.connected(transfers, SIZE);
  }

  @AfterEach
  void leavesNothingAlive() {
    FakeDevice.reset();
    peer.close();
    transfers.close();
    assertThat(Rdma.liveObjects()).isEqualTo(before);
  }

  private static Deadline patient() {
    return Deadline.in(60_000);
  }

  @ParameterizedTest
  @EnumSource(
      value = CompletionStatus.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"SUCCESS", "OTHER"})
  void shouldSayWhoseFaultWhenWriteEndsWithStatus(CompletionStatus status) { // section 6
    FakeDevice.arm(Fault.STATUS, Operation.WRITE, 2, 1, status.code());
    TransferException e = Faults.failingGet(transfers, peer, patient());

    assertFailure(e, status.isPeerMemoryFault() ? Failure.CLIENT_MEMORY : Failure.FABRIC);
    assertThat(e).hasMessageContaining(status.name()).hasMessageContaining("of " + SIZE);
    assertAllBack(transfers);
    assertTransfersWork(transfers);
  }

  @ParameterizedTest
  @EnumSource(
      value = CompletionStatus.class,
      names = {"REMOTE_ACCESS", "REMOTE_OPERATION", "RETRY_EXCEEDED"})
  void shouldSayWhoseFaultWhenReadEndsWithStatus(CompletionStatus status) {
    FakeDevice.arm(Fault.STATUS, Operation.READ, 5, 1, status.code());
    TransferException e =
        Faults.failingPut(transfers, peer, Peer.sinkTo(new byte[SIZE]), patient());

    assertFailure(e, status.isPeerMemoryFault() ? Failure.CLIENT_MEMORY : Failure.FABRIC);
    assertAllBack(transfers);
    assertTransfersWork(transfers);
  }

  @Test
  void shouldEndInTimeWhenPeerIsABlackHole() { // P-4.8
    FakeDevice.arm(Fault.STALL, Operation.WRITE_OR_READ, 1, 1, 0);
    long start = System.nanoTime();
    TransferException e = Faults.failingGet(transfers, peer, Deadline.in(200));
    long millis = (System.nanoTime() - start) / 1_000_000;

    assertFailure(e, Failure.DEADLINE);
    assertThat(e).hasMessageContaining("after 200 ms");
    assertThat(millis).isBetween(199L, 5_000L);
    assertAllBack(transfers);
    assertThatThrownBy(() -> transfers.lease(peer.id(), Peer.OWNER))
        .isInstanceOfSatisfying(
            TransferException.class, x -> assertFailure(x, Failure.NO_SUCH_CONNECTION));
    assertTransfersWork(transfers);
  }

  @Test
  void shouldPostNothingWhenDeadlineHasPassed() { // P-4.8
    TransferException e = Faults.failingGet(transfers, peer, Deadline.in(0));

    assertFailure(e, Failure.DEADLINE);
    assertThat(FakeDevice.executed(Operation.WRITE)).isZero();
    assertAllBack(transfers);
  }

  @Test
  void shouldPostNothingWhenDeadlinePassesWhileStoreReads() { // P-4.8: before every chunk it posts
    RemoteDescriptor at = peer.window(0, CHUNK, TransferRight.REMOTE_WRITE);
    Deadline deadline = Deadline.in(300);
    ByteSource slow =
        (position, target) ->
            FakeDevice.eventually(() -> deadline.remainingNanos() < 0, "the deadline");
    FakeDevice.arm(Fault.POST_ERRNO, Operation.WRITE, 0, 1, ENOMEM); // would be another failure

    assertThatThrownBy(() -> peer.get(transfers, at, slow, CHUNK, deadline, Peer.NEVER))
        .isInstanceOfSatisfying(TransferException.class, e -> assertFailure(e, Failure.DEADLINE));
    assertThat(FakeDevice.executed(Operation.WRITE)).isZero();
    assertAllBack(transfers);
  }

  @Test
  void shouldPostNothingWhenCancelledWhileStoreReads() { // P-4.8
    CompletableFuture<Runnable> registered = new CompletableFuture<>();
    CancelHook hook =
        action -> {
          registered.complete(action);
          return () -> {};
        };
    FakeDevice.arm(Fault.POST_ERRNO, Operation.WRITE, 0, 1, ENOMEM); // would be another failure
    RemoteDescriptor at = peer.window(0, CHUNK, TransferRight.REMOTE_WRITE);
    ByteSource source = (position, target) -> Faults.result(registered).run();

    assertThatThrownBy(() -> peer.get(transfers, at, source, CHUNK, patient(), hook))
        .isInstanceOfSatisfying(TransferException.class, e -> assertFailure(e, Failure.CANCELLED));
    assertThat(FakeDevice.executed(Operation.WRITE)).isZero();
    assertAllBack(transfers);
  }

  @Test
  void shouldStopWithinOneChunkWhenCancelled() { // P-4.8, rdma-practice 6.11
    CompletableFuture<Runnable> registered = new CompletableFuture<>();
    CancelHook hook =
        action -> {
          registered.complete(action);
          return () -> {};
        };
    int[] calls = new int[1];
    ByteSource source =
        (position, target) -> {
          if (++calls[0] == 3) {
            Faults.result(registered).run(); // the HTTP connection closes now
          }
          target.put(new byte[target.remaining()]);
        };
    FakeDevice.arm(Fault.DELAY_MILLIS, Operation.WRITE, 0, 1, 50);
    TransferException e = Faults.failingGet(transfers, peer, source, patient(), hook);

    assertFailure(e, Failure.CANCELLED);
    assertThat(calls[0]).as("chunks prepared").isEqualTo(3);
    long executed = FakeDevice.executed(Operation.WRITE);
    assertThat(executed).isLessThanOrEqualTo(2);
    assertAllBack(transfers);
    assertTransfersWork(transfers);
    // That one moved exactly its own chunks: nothing of the cancelled one was posted meanwhile.
    assertThat(FakeDevice.executed(Operation.WRITE)).isEqualTo(executed + SIZE / CHUNK);
  }

  @Test
  void shouldWakeWhenCancelledWhileWaiting() { // P-4.8
    FakeDevice.arm(Fault.STALL, Operation.WRITE, 0, 1, 0);
    CompletableFuture<Runnable> registered = new CompletableFuture<>();
    CountDownLatch fourPrepared = new CountDownLatch(4);
    ByteSource source =
        (position, target) -> {
          target.put(new byte[target.remaining()]);
          fourPrepared.countDown();
        };
    CancelHook hook =
        action -> {
          registered.complete(action);
          return () -> {};
        };
    CompletableFuture<TransferException> failed =
        CompletableFuture.supplyAsync(
            () -> Faults.failingGet(transfers, peer, source, patient(), hook));
    Faults.await(fourPrepared);
    Faults.result(registered).run();

    assertFailure(Faults.result(failed), Failure.CANCELLED);
    assertAllBack(transfers);
    assertTransfersWork(transfers);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5})
  void shouldDrainAndReturnWhenPostIsRefused(int chunksBefore) {
    FakeDevice.arm(Fault.POST_ERRNO, Operation.WRITE, chunksBefore, 1, ENOMEM);
    TransferException e = Faults.failingGet(transfers, peer, patient());

    assertFailure(e, Failure.FABRIC);
    assertThat(e).hasMessageContaining("ENOMEM").hasRootCauseMessage(e.getMessage());
    assertAllBack(transfers);
    assertTransfersWork(transfers);
  }

  @Test
  void shouldDrainAndTellWhenSourceFails() {
    IOException cause = new IOException("disk gone");
    ByteSource source =
        (position, target) -> {
          if (position == 3L * CHUNK) {
            throw cause;
          }
          target.put(new byte[target.remaining()]);
        };
    FakeDevice.arm(Fault.DELAY_MILLIS, Operation.WRITE, 1, 1, 30);
    TransferException e = Faults.failingGet(transfers, peer, source, patient(), Peer.NEVER);

    assertFailure(e, Failure.STORE);
    assertThat(e).hasCause(cause);
    assertAllBack(transfers);
    assertTransfersWork(transfers);
  }

  @Test
  void shouldDrainAndTellWhenSinkFails() {
    IOException cause = new IOException("disk full");
    int[] calls = new int[1];
    ByteSink sink =
        bytes -> {
          if (++calls[0] == 3) {
            throw cause;
          }
        };
    TransferException e = Faults.failingPut(transfers, peer, sink, patient());

    assertFailure(e, Failure.STORE);
    assertThat(e).hasCause(cause);
    assertThat(calls[0]).as("nothing is stored after the failure").isEqualTo(3);
    assertAllBack(transfers);
    assertTransfersWork(transfers);
  }

  @Test
  void shouldDrainAndRethrowWhenSinkFailsUnexpectedly() {
    RemoteDescriptor at = peer.window(0, SIZE, TransferRight.REMOTE_READ);
    IllegalStateException cause = new IllegalStateException("checksum object closed");

    assertThatThrownBy(
            () ->
                peer.put(
                    transfers,
                    at,
                    bytes -> {
                      throw cause;
                    },
                    SIZE,
                    patient(),
                    Peer.NEVER))
        .isSameAs(cause);
    assertAllBack(transfers);
    assertTransfersWork(transfers);
  }

  @Test
  void shouldDrainAndRethrowWhenSourceFailsWithError() {
    // The JVM answers a fault in a mapped file with an InternalError.
    RemoteDescriptor at = peer.window(0, SIZE, TransferRight.REMOTE_WRITE);
    InternalError cause = new InternalError("a fault occurred in an unsafe memory access");
    ByteSource source =
        (position, target) -> {
          if (position == 2L * CHUNK) {
            throw cause;
          }
          target.put(new byte[target.remaining()]);
        };
    FakeDevice.arm(Fault.DELAY_MILLIS, Operation.WRITE, 0, 1, 50);

    assertThatThrownBy(() -> peer.get(transfers, at, source, SIZE, patient(), Peer.NEVER))
        .isSameAs(cause);
    assertAllBack(transfers);
    assertTransfersWork(transfers);
  }

  @Test
  void shouldChangeNothingAfterwardsWhenBytesAreLate() { // P-4.8: ERROR, then drain
    FakeDevice.arm(Fault.LATE_WRITE_MILLIS, Operation.WRITE, 0, 1, 300);
    TransferException e = Faults.failingGet(transfers, peer, patient());
    assertFailure(e, Failure.FABRIC);
    byte[] guard = new byte[SIZE];
    Arrays.fill(guard, Peer.GUARD);
    assertThat(peer.bytes()).isEqualTo(guard);

    // Another transfer is held up for longer than the late bytes were to take.
    FakeDevice.arm(Fault.DELAY_MILLIS, Operation.WRITE, 0, 1, 600);
    assertTransfersWork(transfers);
    assertThat(peer.bytes()).isEqualTo(guard);
    assertAllBack(transfers);
  }

  @Test
  void shouldStayUnusableWhenPortIsDown() {
    assertThat(transfers.unusable()).isEmpty();
    FakeDevice.port(0, false);
    FakeDevice.eventually(
        () -> transfers.unusable().equals(java.util.Optional.of(DeclineReason.PORT_DOWN)),
        "port down is noticed");
    FakeDevice.port(0, true);
    FakeDevice.eventually(() -> transfers.unusable().isEmpty(), "port up is noticed");
    assertTransfersWork(transfers);
  }

  @Test
  void shouldStayUnusableWhenDeviceIsFatal() {
    FakeDevice.arm(Fault.ASYNC_EVENT, Operation.WRITE_OR_READ, 0, 1, 8);
    FakeDevice.eventually(
        () -> transfers.unusable().equals(java.util.Optional.of(DeclineReason.NO_DEVICE)),
        "a fatal device is noticed");
    transfers.startDraining();
    assertThat(transfers.unusable()).contains(DeclineReason.DRAINING);
  }

  @Test
  void shouldGoOnWhenEventIsOfNoConcern() {
    FakeDevice.arm(Fault.ASYNC_EVENT, Operation.WRITE_OR_READ, 0, 1, 18); // GID change
    FakeDevice.arm(Fault.ASYNC_EVENT, Operation.WRITE_OR_READ, 0, 1, 99);
    assertTransfersWork(transfers);
    assertThat(transfers.unusable()).isEmpty();
  }
}
