package io.s3rdma.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.rdma.BufferLifecycle;
import io.s3rdma.rdma.MemoryPlace;
import io.s3rdma.rdma.RdmaException;
import io.s3rdma.rdma.TransferBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceBufferTest {
  private static final int MIB = 1 << 20;
  private static final int SYNC_MEMOPS = 6;

  @RegisterExtension final FakeGpu gpu = new FakeGpu();

  @Test
  void shouldSayWhereItsGpuIs() { // for the choice of a near NIC
    try (DeviceBuffer buffer = gpu.allocate(4096)) {
      assertThat(buffer.place()).isEqualTo(MemoryPlace.ofGpu("0000:3b:00.0"));
      assertThat(buffer.slice(1, 2).place()).isEqualTo(buffer.place());
    }
  }

  // ---- copies ----

  @ParameterizedTest
  @ValueSource(ints = {1, 4096, MIB - 1, MIB, MIB + 1, 2 * MIB, 5 * MIB + 7})
  void shouldRoundTripWhenCpuMayNotTouchDeviceMemory(int length) {
    FakeCuda.protect();
    FakeCuda.delayMicros(300);
    byte[] expected = FakeGpu.pattern(length, length);
    byte[] back = new byte[length];

    try (DeviceBuffer buffer = gpu.allocate(length)) {
      buffer.copyIn(0, MemorySegment.ofArray(expected));
      assertThat(FakeCuda.read(buffer.devicePointer(), length)).isEqualTo(expected);
      buffer.copyOut(0, MemorySegment.ofArray(back));
    }

    assertThat(back).isEqualTo(expected);
    assertThat(FakeCuda.counters().bytesIn()).isEqualTo(length);
    assertThat(FakeCuda.counters().bytesOut()).isEqualTo(length);
  }

  @Test
  void shouldLeaveNeighboursWhenPartIsCopied() {
    byte[] before = FakeGpu.pattern(1, 3 * MIB);
    byte[] part = FakeGpu.pattern(2, MIB + 5);
    byte[] expected = before.clone();
    System.arraycopy(part, 0, expected, 777, part.length);

    try (DeviceBuffer buffer = gpu.allocate(before.length)) {
      FakeCuda.write(buffer.devicePointer(), before);
      buffer.copyIn(777, MemorySegment.ofArray(part));
      assertThat(FakeCuda.read(buffer.devicePointer(), before.length)).isEqualTo(expected);
    }
  }

  @Test
  void shouldRefuseCopyWhenRangeLeavesBuffer() {
    try (DeviceBuffer buffer = gpu.allocate(100)) {
      MemorySegment ten = MemorySegment.ofArray(new byte[10]);
      assertThatThrownBy(() -> buffer.copyIn(91, ten))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> buffer.copyOut(-1, ten))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatCode(() -> buffer.copyIn(100, MemorySegment.ofArray(new byte[0])))
          .doesNotThrowAnyException();
    }
    assertThat(FakeCuda.counters().copiesIn()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"cuMemcpyHtoDAsync_v2", "cuEventRecord", "cuEventSynchronize"})
  void shouldStayUsableWhenCopyFailed(String call) {
    byte[] bytes = FakeGpu.pattern(3, 3 * MIB);
    try (DeviceBuffer buffer = gpu.allocate(bytes.length)) {
      FakeCuda.delayMicros(20_000);
      FakeCuda.fail(call, 999, 1, 1);
      assertThatThrownBy(() -> buffer.copyIn(0, MemorySegment.ofArray(bytes)))
          .isInstanceOf(CudaException.class)
          .hasMessageContaining(call);
      buffer.copyIn(0, MemorySegment.ofArray(bytes));
      assertThat(FakeCuda.read(buffer.devicePointer(), bytes.length)).isEqualTo(bytes);
    }
  }

  @Test
  void shouldKeepMemoryWhenCopyCannotBeDrained() {
    gpu.expectLeaks();
    DeviceBuffer buffer = gpu.allocate(100);
    FakeCuda.delayMicros(20_000);
    FakeCuda.fail("cuEventSynchronize", 700, 0, 1);
    FakeCuda.fail("cuStreamSynchronize", 700, 0, 1);

    assertThatThrownBy(() -> buffer.copyIn(0, MemorySegment.ofArray(new byte[100])))
        .isInstanceOf(CudaException.class)
        .hasMessageContaining("restart the process");
    refused(buffer::fenceRemoteWrites, "could not be drained");
    buffer.close();

    assertThat(gpu.live()).isEqualTo(new FakeCuda.Live(1, 2, 1, 2, 1));
  }

  // ---- allocation ----

  @Test
  void shouldMarkMemoryForNicWhenAllocated() {
    try (DeviceBuffer buffer = gpu.allocate(100);
        CudaDevice.Binding _ = gpu.device().bind()) {
      assertThat(gpu.device().driver().pointerAttribute(SYNC_MEMOPS, buffer.devicePointer()))
          .isOne();
      assertThat(buffer.kind()).isEqualTo(TransferBuffer.Kind.DEVICE);
      assertThat(buffer.ordinal()).isZero();
    }
  }

  @Test
  void shouldSayWhatToDoWhenMemoryIsOut() {
    FakeCuda.fail("cuMemAlloc_v2", 2, 0, 1);

    assertThatThrownBy(() -> gpu.allocate(100))
        .isInstanceOfSatisfying(
            CudaException.class,
            e -> {
              assertThat(e.call()).isEqualTo("cuMemAlloc_v2");
              assertThat(e.number()).isEqualTo(2);
              assertThat(e.name()).isEqualTo("CUDA_ERROR_OUT_OF_MEMORY");
              assertThat(e).hasMessageContaining("free memory on that GPU");
            });
    assertThatThrownBy(() -> gpu.allocate(0)).isInstanceOf(RdmaException.class);
  }

  @Test
  void shouldFreeMemoryWhenMarkingFailed() {
    FakeCuda.fail("cuPointerSetAttribute", 999, 0, 1);

    assertThatThrownBy(() -> gpu.allocate(100)).isInstanceOf(CudaException.class);
    assertThat(gpu.live().device()).isZero();
  }

  // ---- wrapping ----

  @Test
  void shouldLeaveGuardsWhenInteriorIsWrapped() {
    long foreign = gpu.foreign(10_000);
    byte[] around = FakeGpu.pattern(4, 10_000);
    FakeCuda.write(foreign, around);
    byte[] inside = FakeGpu.pattern(5, 333);
    System.arraycopy(inside, 0, around, 5_001, inside.length);

    try (DeviceBuffer buffer = DeviceBuffer.wrap(gpu.device(), foreign + 5_001, inside.length)) {
      buffer.copyIn(0, MemorySegment.ofArray(inside));
    }

    assertThat(FakeCuda.read(foreign, 10_000)).isEqualTo(around);
    gpu.freeForeign(foreign); // still the caller's
  }

  @Test
  void shouldRefuseToWrapWhenMemoryIsNotOfThatGpu() {
    long foreign = gpu.foreign(1_000);
    long managed = FakeCudaMemory.allocateManaged(gpu.device(), 1_000);
    CudaDevice other = gpu.runtime().device(1);
    try (PinnedBuffer pinned = PinnedBuffer.allocate(gpu.device(), 100);
        Arena arena = Arena.ofConfined()) {
      refused(() -> DeviceBuffer.wrap(other, foreign, 10), "memory of GPU 0, not of GPU 1");
      refused(() -> DeviceBuffer.wrap(gpu.device(), managed, 10), "managed memory");
      long host = pinned.segment().address();
      refused(() -> DeviceBuffer.wrap(gpu.device(), host, 10), "not device memory");
      long heap = arena.allocate(10).address();
      refused(() -> DeviceBuffer.wrap(gpu.device(), heap, 10), "CUDA_ERROR_INVALID_VALUE");
      refused(() -> DeviceBuffer.wrap(gpu.device(), foreign + 991, 10), "leave the allocation");
      refused(() -> DeviceBuffer.wrap(gpu.device(), foreign, 0), "0 bytes");
    }
    gpu.freeForeign(managed);
    gpu.freeForeign(foreign);
    refused(() -> DeviceBuffer.wrap(gpu.device(), foreign, 10), "CUDA_ERROR_INVALID_VALUE");
  }

  private static void refused(ThrowingCallable call, String reason) {
    assertThatThrownBy(call).isInstanceOf(RdmaException.class).hasMessageContaining(reason);
  }

  // ---- life ----

  @Test
  void shouldShareLifeWhenSliced() {
    DeviceBuffer buffer = gpu.allocate(100);
    DeviceBuffer slice = buffer.slice(10, 20).slice(5, 15);
    assertThat(slice.devicePointer()).isEqualTo(buffer.devicePointer() + 15);
    assertThat(slice.lengthBytes()).isEqualTo(15);
    assertThatThrownBy(() -> buffer.slice(90, 11)).isInstanceOf(IndexOutOfBoundsException.class);
    refused(() -> buffer.slice(90, 0), "at least one byte");

    slice.close();
    buffer.fenceRemoteWrites();
    buffer.close();

    refused(slice::fenceRemoteWrites, "is closed");
  }

  @Test
  void shouldRefuseEveryUseWhenClosed() {
    DeviceBuffer buffer = gpu.allocate(100);
    buffer.close();
    buffer.close();

    MemorySegment ten = MemorySegment.ofArray(new byte[10]);
    refused(() -> buffer.copyIn(0, ten), "is closed");
    refused(() -> buffer.copyOut(0, ten), "is closed");
    refused(() -> buffer.openStaging(10, 2), "is closed");
    refused(() -> buffer.register(null, null), "is closed");
    refused(buffer::fenceRemoteWrites, "is closed");
    assertThatThrownBy(() -> gpu.freeForeign(buffer.devicePointer()))
        .as("the driver's own double free")
        .isInstanceOf(CudaException.class)
        .hasMessageContaining("memory was freed");
  }

  @Test
  void shouldRefuseToCloseWhenTransferHoldsLease() {
    DeviceBuffer buffer = gpu.allocate(100);
    BufferLifecycle.Lease lease = buffer.lifecycle().lease();
    refused(buffer::close, "in flight");
    lease.close();
    buffer.close();
    assertThat(gpu.live().device()).isZero();
  }

  @Test
  void shouldKeepMemoryWhenQuarantined() {
    DeviceBuffer buffer = gpu.allocate(100);
    buffer.lifecycle().quarantine("a fence failed");
    refused(() -> buffer.copyOut(0, MemorySegment.ofArray(new byte[10])), "quarantined");

    buffer.close();

    assertThat(gpu.live().device()).isOne();
    gpu.freeForeign(buffer.devicePointer());
  }

  @Test
  void shouldKeepBounceOnlyWhileBuffersLive() {
    DeviceBuffer first = gpu.allocate(100);
    try (DeviceBuffer second = gpu.allocate(100)) {
      second.copyIn(0, MemorySegment.ofArray(new byte[100]));
    }
    assertThat(gpu.live().pinned()).isEqualTo(2);
    first.close();
    assertThat(gpu.live().pinned()).isZero();
  }
}
