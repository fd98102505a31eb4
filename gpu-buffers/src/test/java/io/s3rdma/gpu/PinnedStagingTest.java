package io.s3rdma.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.rdma.BufferLifecycle;
import io.s3rdma.rdma.BufferRegistration;
import io.s3rdma.rdma.CompletionStatus;
import io.s3rdma.rdma.RdmaException;
import io.s3rdma.rdma.StagingArea;
import io.s3rdma.rdma.StagingArea.PendingCopy;
import io.s3rdma.rdma.TransferBuffer;
import io.s3rdma.rdma.TransferRight;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PinnedStagingTest {
  private static final int SLOT = 10_000;
  private static final int OBJECT = 237_123;

  @RegisterExtension final FakeGpu gpu = new FakeGpu();

  private static void refused(ThrowingCallable call, String reason) {
    assertThatThrownBy(call).isInstanceOf(RdmaException.class).hasMessageContaining(reason);
  }

  private static TransferBuffer slot(StagingArea area, int index) {
    return area.slot(index);
  }

  private static byte[] chunk(byte[] object, int at) {
    return Arrays.copyOfRange(object, at, Math.min(at + SLOT, object.length));
  }

  // ---- pipelines ----

  /** As in a GET: a peer writes into one slot while the other is copied to the GPU. */
  @Test
  void shouldDeliverAllBytesWhenPeerWritesThroughTwoSlots() {
    FakeCuda.protect();
    FakeCuda.delayMicros(1_500);
    byte[] object = FakeGpu.pattern(1, OBJECT);
    try (Loopback fabric = new Loopback();
        DeviceBuffer buffer = gpu.allocate(OBJECT);
        StagingArea area = buffer.openStaging(SLOT, 2);
        BufferRegistration first = register(area, 0, fabric);
        BufferRegistration second = register(area, 1, fabric)) {
      PendingCopy[] copies = new PendingCopy[2];
      for (int at = 0, i = 0; at < OBJECT; at += SLOT, i = 1 - i) {
        if (copies[i] != null) {
          copies[i].await();
        }
        byte[] part = chunk(object, at);
        assertThat(fabric.write(i == 0 ? first : second, 0, part))
            .isEqualTo(CompletionStatus.SUCCESS);
        copies[i] = area.copyIn(i, at, part.length);
      }
      copies[0].await();
      copies[1].await();
      assertThat(FakeCuda.read(buffer.devicePointer(), OBJECT)).isEqualTo(object);
    }
  }

  private static BufferRegistration register(StagingArea area, int index, Loopback fabric) {
    return slot(area, index).register(fabric.domain(), TransferRight.REMOTE_WRITE);
  }

  /** As in a PUT: the next chunk is copied out while this one is read. */
  @Test
  void shouldGiveAllBytesWhenReadThroughTwoSlots() {
    FakeCuda.protect();
    FakeCuda.delayMicros(1_500);
    byte[] object = FakeGpu.pattern(2, OBJECT);
    byte[] read = new byte[OBJECT];
    try (DeviceBuffer buffer = gpu.allocate(OBJECT);
        StagingArea area = buffer.openStaging(SLOT, 2)) {
      FakeCuda.write(buffer.devicePointer(), object);
      PendingCopy next = area.copyOut(0, 0, SLOT);
      for (int at = 0, i = 0; at < OBJECT; at += SLOT, i = 1 - i) {
        PendingCopy current = next;
        int length = Math.min(SLOT, OBJECT - at);
        int after = at + SLOT;
        if (after < OBJECT) {
          next = area.copyOut(1 - i, after, Math.min(SLOT, OBJECT - after));
        }
        current.await();
        slot(area, i).copyOut(0, MemorySegment.ofArray(read).asSlice(at, length));
      }
    }
    assertThat(read).isEqualTo(object);
  }

  @Test
  void shouldShowOldBytesWhenCopyIsNotAwaited() {
    FakeCuda.delayMicros(100_000);
    try (DeviceBuffer buffer = gpu.allocate(SLOT);
        StagingArea area = buffer.openStaging(SLOT, 2)) {
      byte[] fresh = FakeCuda.read(buffer.devicePointer(), SLOT);
      PendingCopy copy = area.copyIn(0, 0, SLOT);
      assertThat(FakeCuda.read(buffer.devicePointer(), SLOT)).isEqualTo(fresh);
      copy.await();
      assertThat(FakeCuda.read(buffer.devicePointer(), SLOT)).containsOnly(0);
    }
  }

  // ---- slots ----

  @Test
  void shouldRefuseSlotWhenItsCopyIsNotAwaited() {
    FakeCuda.delayMicros(20_000);
    try (DeviceBuffer buffer = gpu.allocate(100);
        StagingArea area = buffer.openStaging(100, 2)) {
      PendingCopy copy = area.copyIn(0, 0, 100);
      refused(() -> slot(area, 0), "await it before the next use");
      refused(() -> area.copyIn(0, 0, 100), "under way");
      refused(() -> area.copyOut(0, 0, 100), "under way");
      assertThat(slot(area, 1).lengthBytes()).isEqualTo(100);
      copy.await();
      copy.await();
      area.copyOut(0, 0, 100).await();
    }
  }

  @Test
  void shouldAwaitWhenThreadIsFresh() throws Exception {
    FakeCuda.delayMicros(5_000);
    try (DeviceBuffer buffer = gpu.allocate(100);
        StagingArea area = buffer.openStaging(100, 2)) {
      PendingCopy first = area.copyIn(0, 0, 100);
      PendingCopy second = area.copyIn(1, 0, 100);
      Thread.ofPlatform().start(first::await).join();
      Thread.ofVirtual().start(second::await).join();
      assertThat(slot(area, 0)).isNotSameAs(slot(area, 1));
    }
  }

  @Test
  void shouldRefuseWhenRangeDoesNotFit() {
    try (DeviceBuffer buffer = gpu.allocate(100);
        StagingArea area = buffer.openStaging(60, 2)) {
      refused(() -> area.copyIn(0, 0, 61), "does not fit a slot of 60");
      refused(() -> area.copyIn(0, 0, 0), "0 bytes");
      assertThatThrownBy(() -> area.copyIn(0, 50, 51))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> area.copyIn(2, 0, 1)).isInstanceOf(IndexOutOfBoundsException.class);
      refused(() -> buffer.openStaging(0, 2), "at least 1");
      refused(() -> buffer.openStaging(10, 0), "at least 1");
    }
  }

  // ---- end ----

  @Test
  void shouldDrainWhenClosedDuringCopy() {
    FakeCuda.delayMicros(30_000);
    try (DeviceBuffer buffer = gpu.allocate(100)) {
      StagingArea area = buffer.openStaging(100, 2);
      PendingCopy copy = area.copyIn(0, 0, 100);
      area.close();
      area.close();
      copy.await();
      assertThat(FakeCuda.read(buffer.devicePointer(), 100)).containsOnly(0);
      refused(() -> area.copyIn(1, 0, 100), "is closed");
      refused(() -> slot(area, 1), "is closed");
    }
  }

  @Test
  void shouldHoldBufferWhileOpen() {
    DeviceBuffer buffer = gpu.allocate(100);
    try (StagingArea _ = buffer.openStaging(100, 2)) {
      refused(buffer::close, "in flight");
    }
    buffer.close();
  }

  @Test
  void shouldCloseLaterWhenSlotIsInTransfer() {
    try (DeviceBuffer buffer = gpu.allocate(100)) {
      StagingArea area = buffer.openStaging(100, 2);
      BufferLifecycle.Lease lease = slot(area, 1).lifecycle().lease();
      refused(area::close, "in flight");
      refused(buffer::close, "in flight");
      lease.close();
      area.close();
    }
  }

  @Test
  void shouldKeepNothingWhenOpeningFails() {
    try (DeviceBuffer buffer = gpu.allocate(100)) {
      FakeCuda.fail("cuMemHostAlloc", 2, 1, 1);
      assertThatThrownBy(() -> buffer.openStaging(100, 3)).isInstanceOf(CudaException.class);
      FakeCuda.fail("cuEventCreate", 2, 2, 1);
      assertThatThrownBy(() -> buffer.openStaging(100, 3)).isInstanceOf(CudaException.class);
      assertThat(gpu.live()).isEqualTo(new FakeCuda.Live(1, 0, 0, 0, 1));
    }
  }

  @Test
  void shouldRetireSlotWhenItsCopyFailed() {
    try (DeviceBuffer buffer = gpu.allocate(100);
        StagingArea area = buffer.openStaging(100, 2)) {
      FakeCuda.delayMicros(20_000);
      FakeCuda.fail("cuEventSynchronize", 999, 0, 1);
      PendingCopy copy = area.copyIn(0, 0, 100);
      assertThatThrownBy(copy::await).isInstanceOf(CudaException.class);
      assertThatThrownBy(copy::await).isInstanceOf(CudaException.class);
      refused(() -> area.copyIn(0, 0, 100), "not usable after");
      area.copyIn(1, 0, 100).await();
    }
  }

  @Test
  void shouldFreeNothingWhenCopiesCannotBeDrained() {
    gpu.expectLeaks();
    FakeCuda.delayMicros(10_000);
    DeviceBuffer buffer = gpu.allocate(100);
    StagingArea area = buffer.openStaging(100, 2);
    PendingCopy copy = area.copyIn(0, 0, 100);
    FakeCuda.Live before = gpu.live();
    FakeCuda.fail("cuStreamSynchronize", 700, 0, 1);

    assertThatThrownBy(area::close)
        .isInstanceOf(CudaException.class)
        .hasMessageContaining("restart the process");
    area.close();
    buffer.close();

    assertThat(gpu.live()).isEqualTo(before);
    assertThat(buffer.lifecycle().isQuarantined()).isTrue();
    copy.await();
  }
}
