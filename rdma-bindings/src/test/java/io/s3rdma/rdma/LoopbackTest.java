package io.s3rdma.rdma;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.rdma.QueuePairInfo.State;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two queue pairs of this process, connected over the lane's rail. */
@Tag("device")
final class LoopbackTest {
  private static final int MIB = 1 << 20;
  private static final int INTERIOR = 777;
  private static final byte GUARD = (byte) 0xa5;
  private static final int PSN_MASK = 0xffffff;

  private LiveObjects before;
  private TestEnd near;
  private TestEnd far;
  private MemorySegment nearMemory;
  private MemorySegment farMemory;
  private MemoryRegion nearRegion;
  private MemoryRegion farRegion;
  private MemoryWindow window;

  @BeforeEach
  void connect() {
    before = Rdma.liveObjects();
    near = new TestEnd();
    far = new TestEnd();
    TestEnd.connect(near, far);
    nearMemory = near.memory(MIB + 4096);
    farMemory = far.memory(MIB + 4096);
    nearRegion = near.register(nearMemory);
    farRegion = far.register(farMemory);
    window = far.window();
    nearMemory.fill(GUARD);
    farMemory.fill(GUARD);
  }

  @AfterEach
  void leavesNothingAlive() {
    near.close();
    far.close();
    assertThat(Rdma.liveObjects()).isEqualTo(before);
  }

  private RemoteKey bind(long offset, long bytes, TransferRight right) {
    return far.bind(window, farRegion, farMemory.address() + offset, bytes, right);
  }

  private static byte[] randomBytes(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  private static void assertOnlyPartIs(MemorySegment memory, int offset, byte[] part) {
    byte[] expected = new byte[(int) memory.byteSize()];
    java.util.Arrays.fill(expected, GUARD);
    System.arraycopy(part, 0, expected, offset, part.length);
    // Not isEqualTo on the arrays: a failure would print megabytes.
    assertThat(java.util.Arrays.mismatch(memory.toArray(JAVA_BYTE), expected)).isEqualTo(-1);
  }

  private int psnDelta(Runnable transfer) {
    int psn = near.pair().query().sendPsn();
    transfer.run();
    return (near.pair().query().sendPsn() - psn) & PSN_MASK;
  }

  private int packets(int bytes) {
    return (bytes + near.mtuBytes() - 1) / near.mtuBytes();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4096, 4097, MIB})
  void shouldMoveExactlyTheBytesWhenWriting(int size) { // P-5.1
    byte[] content = randomBytes(size);
    MemorySegment source = nearMemory.asSlice(1, size);
    MemorySegment.copy(content, 0, source, JAVA_BYTE, 0, size);
    RemoteKey key = bind(INTERIOR, size, TransferRight.REMOTE_WRITE);

    int delta =
        psnDelta(
            () -> {
              near.postWrite(9, nearRegion, source, farMemory.address() + INTERIOR, key);
              assertThat(near.await().status()).isEqualTo(CompletionStatus.SUCCESS);
            });

    assertOnlyPartIs(farMemory, INTERIOR, content);
    assertThat(delta).isEqualTo(packets(size));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4096, 4097, MIB})
  void shouldMoveExactlyTheBytesWhenReading(int size) { // P-5.1: READ counts its answers
    byte[] content = randomBytes(size);
    MemorySegment.copy(content, 0, farMemory, JAVA_BYTE, INTERIOR, size);
    RemoteKey key = bind(INTERIOR, size, TransferRight.REMOTE_READ);

    int delta =
        psnDelta(
            () -> {
              MemorySegment target = nearMemory.asSlice(3, size);
              near.postRead(9, nearRegion, target, farMemory.address() + INTERIOR, key);
              TestEnd.Done done = near.await();
              assertThat(done.status()).isEqualTo(CompletionStatus.SUCCESS);
              assertThat(done.bytes()).isEqualTo(size);
            });

    assertOnlyPartIs(nearMemory, 3, content);
    assertThat(delta).isEqualTo(packets(size));
  }

  @Test
  void shouldRefuseWhenChunkIsEmptyOrTooLong() { // P-4.4
    try (java.lang.foreign.Arena arena = java.lang.foreign.Arena.ofConfined()) {
      ChunkList chunks = new ChunkList(arena);
      LocalKey key = nearRegion.localKey();
      assertThatThrownBy(() -> chunks.add(1, 0, key, 0, 0, 0, true))
          .isInstanceOf(RdmaException.class)
          .hasMessageContaining("0 bytes");
      assertThatThrownBy(() -> chunks.add(1, 0, key, 0, 0, (1L << 31) + 1, true))
          .isInstanceOf(RdmaException.class);
      for (int i = 0; i < ChunkList.CAPACITY; i++) {
        chunks.add(i, 0, key, 0, 0, 1, true);
      }
      assertThatThrownBy(() -> chunks.add(1, 0, key, 0, 0, 1, true))
          .isInstanceOf(RdmaException.class)
          .hasMessageContaining("64");
      chunks.clear();
      assertThat(chunks.count()).isZero();
    }
  }

  @Test
  void shouldCountNothingAcceptedWhenPostIsRefused() {
    // A queue pair that is not connected takes no work.
    try (TestEnd alone = new TestEnd()) {
      MemorySegment memory = alone.memory(64);
      MemoryRegion region = alone.register(memory);
      assertThatThrownBy(() -> alone.postWrite(1, region, memory, 0, new RemoteKey(1)))
          .isInstanceOf(RdmaException.class)
          .hasMessageContaining("ibv_post_send");
    }
  }

  @Test
  void shouldRefusePeerWhenKeyIsStale() { // P-4.11
    RemoteKey key = bind(0, 4096, TransferRight.REMOTE_WRITE);
    near.postWrite(1, nearRegion, nearMemory.asSlice(0, 64), farMemory.address(), key);
    assertThat(near.await().status()).isEqualTo(CompletionStatus.SUCCESS);
    far.invalidate(key);
    farMemory.fill(GUARD);
    nearMemory.fill((byte) 1);

    near.postWrite(2, nearRegion, nearMemory.asSlice(0, 64), farMemory.address(), key);

    assertThat(near.await().status()).isEqualTo(CompletionStatus.REMOTE_ACCESS);
    assertOnlyPartIs(farMemory, 0, new byte[0]);
    assertThat(near.pair().query().state()).isEqualTo(State.ERROR);
  }

  @Test
  void shouldHaveNewKeyWhenBoundAgain() { // P-4.10
    RemoteKey first = bind(0, 4096, TransferRight.REMOTE_WRITE);
    far.invalidate(first);
    RemoteKey second = bind(0, 4096, TransferRight.REMOTE_WRITE);

    assertThat(second).isNotEqualTo(first);
    near.postWrite(1, nearRegion, nearMemory.asSlice(0, 64), farMemory.address(), first);
    assertThat(near.await().status()).isEqualTo(CompletionStatus.REMOTE_ACCESS);
  }

  @Test
  void shouldRefuseWriteWhenWindowGrantsRead() { // P-4.11: never both
    RemoteKey key = bind(0, 4096, TransferRight.REMOTE_READ);
    nearMemory.fill((byte) 1);
    near.postWrite(1, nearRegion, nearMemory.asSlice(0, 64), farMemory.address(), key);

    assertThat(near.await().status()).isEqualTo(CompletionStatus.REMOTE_ACCESS);
    assertOnlyPartIs(farMemory, 0, new byte[0]);
  }

  @Test
  void shouldRefuseReadWhenWindowGrantsWrite() { // P-4.11
    RemoteKey key = bind(0, 4096, TransferRight.REMOTE_WRITE);
    farMemory.fill((byte) 1);
    near.postRead(1, nearRegion, nearMemory.asSlice(0, 64), farMemory.address(), key);

    assertThat(near.await().status()).isEqualTo(CompletionStatus.REMOTE_ACCESS);
    assertOnlyPartIs(nearMemory, 0, new byte[0]);
  }

  @Test
  void shouldRefusePeerWhenRangeLeavesTheRegion() {
    long size = farMemory.byteSize();
    RemoteKey key = bind(0, size, TransferRight.REMOTE_WRITE);
    nearMemory.fill((byte) 1);
    MemorySegment source = nearMemory.asSlice(0, 4096);
    near.postWrite(1, nearRegion, source, farMemory.address() + size - 4095, key);

    assertThat(near.await().status()).isEqualTo(CompletionStatus.REMOTE_ACCESS);
    assertOnlyPartIs(farMemory, 0, new byte[0]);
  }

  @Test
  void shouldRefusePeerWhenRegionItselfIsNamed() { // no remote right on a region that has windows
    near.postWrite(
        1, nearRegion, nearMemory.asSlice(0, 64), farMemory.address(), farRegion.remoteKey());

    assertThat(near.await().status()).isEqualTo(CompletionStatus.REMOTE_ACCESS);
  }

  @Test
  void shouldFlushWhenOwnQueuePairIsInError() {
    RemoteKey key = bind(0, 4096, TransferRight.REMOTE_WRITE);
    near.pair().toError();
    near.pair().toError(); // idempotent
    nearMemory.fill((byte) 1);
    near.postWrite(5, nearRegion, nearMemory.asSlice(0, 64), farMemory.address(), key);

    TestEnd.Done done = near.await();
    assertThat(done.status()).isEqualTo(CompletionStatus.FLUSHED);
    assertThat(done.id()).isEqualTo(5);
    assertThat(near.pair().query().state()).isEqualTo(State.ERROR);
    assertOnlyPartIs(farMemory, 0, new byte[0]);
  }

  @Test
  void shouldChangeNothingWhenPeerFencedByError() { // P-4.9
    RemoteKey key = bind(0, 4096, TransferRight.REMOTE_WRITE);
    far.pair().toError();
    nearMemory.fill((byte) 1);
    near.postWrite(5, nearRegion, nearMemory.asSlice(0, 4096), farMemory.address(), key);

    assertThat(near.await().status()).isEqualTo(CompletionStatus.RETRY_EXCEEDED);
    assertOnlyPartIs(farMemory, 0, new byte[0]);
  }

  @Test
  void shouldReturnFalseWhenNothingComes() {
    near.queue().arm();
    assertThat(near.queue().await(1)).isFalse();
  }

  @Test
  void shouldWakeWhenAnotherThreadAsks() throws Exception {
    long start = System.nanoTime();
    Thread waker = Thread.ofPlatform().start(near.queue()::wake);
    near.queue().arm();

    assertThat(near.queue().await(60_000)).isTrue();
    assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(30));
    waker.join();
    assertThat(near.queue().await(1)).as("one wake, one return").isFalse();
  }

  @Test
  void shouldReturnWhenCompletionComes() {
    RemoteKey key = bind(0, 4096, TransferRight.REMOTE_WRITE);
    near.queue().arm();
    near.postWrite(1, nearRegion, nearMemory.asSlice(0, 64), farMemory.address(), key);

    assertThat(near.queue().await(20_000)).isTrue();
    assertThat(near.await().status()).isEqualTo(CompletionStatus.SUCCESS);
  }
}
