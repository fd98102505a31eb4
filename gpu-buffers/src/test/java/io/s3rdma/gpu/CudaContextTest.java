package io.s3rdma.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.rdma.StagingArea;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class CudaContextTest {
  private static final int LENGTH = 3_000_000;

  @RegisterExtension final FakeGpu gpu = new FakeGpu();

  @Test
  void shouldFailInDriverWhenNoContextIsBound() throws Exception {
    CudaDriver driver = gpu.device().driver();
    try (ExecutorService fresh = Executors.newSingleThreadExecutor()) {
      Future<?> unbound = fresh.submit(() -> driver.allocate(10));
      assertThatThrownBy(unbound::get).hasMessageContaining("CUDA_ERROR_INVALID_CONTEXT");
    }
  }

  @Test
  void shouldCopyWhenEachThreadIsFresh() throws Exception {
    try (DeviceBuffer buffer = gpu.allocate(LENGTH)) {
      runAll(buffer, Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory()), 4);
    }
  }

  @Test
  void shouldCopyWhenThreadsAreVirtual() throws Exception {
    try (DeviceBuffer buffer = gpu.allocate(LENGTH)) {
      runAll(buffer, Executors.newVirtualThreadPerTaskExecutor(), 50);
    }
  }

  @Test
  void shouldCopyWhenAnotherThreadMadeTheSlots() throws Exception {
    try (DeviceBuffer buffer = gpu.allocate(100);
        StagingArea area = buffer.openStaging(100, 1);
        ExecutorService fresh = Executors.newThreadPerTaskExecutor(Thread::new)) {
      buffer.copyIn(0, MemorySegment.ofArray(new byte[100]));
      assertThat(fresh.submit(roundTrip(buffer, 5)).get()).isEqualTo(FakeGpu.pattern(5, 100));
      fresh.submit(() -> area.copyIn(0, 0, 100)).get().await();
      fresh.submit(() -> area.copyOut(0, 0, 100)).get().await();
      assertThat(FakeCuda.read(buffer.devicePointer(), 100)).containsOnly(0);
    }
  }

  private static void runAll(DeviceBuffer buffer, ExecutorService executor, int tasks)
      throws Exception {
    FakeCuda.delayMicros(200);
    int share = LENGTH / tasks;
    List<Future<byte[]>> results = new ArrayList<>();
    try (executor) {
      for (int i = 0; i < tasks; i++) {
        results.add(executor.submit(roundTrip(buffer.slice((long) i * share, share), i)));
      }
    }
    for (int i = 0; i < tasks; i++) {
      assertThat(results.get(i).get()).isEqualTo(FakeGpu.pattern(i, share));
    }
  }

  private static Callable<byte[]> roundTrip(DeviceBuffer part, int seed) {
    return () -> {
      byte[] back = new byte[(int) part.lengthBytes()];
      part.copyIn(0, MemorySegment.ofArray(FakeGpu.pattern(seed, back.length)));
      part.copyOut(0, MemorySegment.ofArray(back));
      return back;
    };
  }

  @Test
  void shouldPutCallersContextBackWhenItIsAnother() {
    CudaDevice other = gpu.runtime().device(1);
    CudaDriver driver = other.driver();
    try (DeviceBuffer buffer = gpu.allocate(100)) {
      driver.setCurrentContext(0);
      try (CudaDevice.Binding _ = other.bind()) {
        long callers = driver.currentContext();
        buffer.copyIn(0, MemorySegment.ofArray(new byte[100]));
        buffer.fenceRemoteWrites();
        assertThat(driver.currentContext()).isEqualTo(callers);
      }
    }
  }

  @Test
  void shouldWorkWhenCallersContextIsGone() {
    GpuRuntime gone = GpuRuntime.load(FakeCuda.library().toString());
    gone.device(1).bind().close();
    gone.close();
    try (DeviceBuffer buffer = gpu.allocate(100)) {
      buffer.copyIn(0, MemorySegment.ofArray(new byte[100]));
      assertThat(FakeCuda.read(buffer.devicePointer(), 100)).containsOnly(0);
    }
  }

  @Test
  void shouldShareContextWhenAnyDeviceWillDo() {
    try (DeviceBuffer buffer = DeviceBuffer.allocate(gpu.runtime().device(1), 10)) {
      assertThat(gpu.runtime().anyDevice()).isSameAs(buffer.device());
    }
  }
}
