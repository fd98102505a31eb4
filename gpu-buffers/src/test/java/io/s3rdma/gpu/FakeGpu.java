package io.s3rdma.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A runtime over the fake driver for one test. Afterwards nothing may be alive that the test did
 * not announce, no guard byte changed, no freed byte written, no copy run on freed memory.
 */
final class FakeGpu implements BeforeEachCallback, AfterEachCallback {
  private FakeCuda.Live before;
  private GpuRuntime runtime;
  private boolean leaksExpected;

  @Override
  public void beforeEach(ExtensionContext context) {
    FakeCuda.reset();
    before = FakeCuda.live();
    runtime = GpuRuntime.load(FakeCuda.library().toString());
    leaksExpected = false;
  }

  @Override
  public void afterEach(ExtensionContext context) {
    long faults = FakeCuda.counters().faults();
    FakeCuda.reset();
    runtime.close();
    assertThat(FakeCuda.guardsBroken()).as("guard bytes overwritten").isZero();
    assertThat(FakeCuda.freedChanged()).as("freed bytes written").isZero();
    assertThat(faults).as("copies on freed memory").isZero();
    if (!leaksExpected) {
      assertThat(FakeCuda.live()).as("alive after the test").isEqualTo(before);
    }
  }

  /** The test keeps memory for ever on purpose. */
  void expectLeaks() {
    leaksExpected = true;
  }

  /** What this test has made and not yet let go. */
  FakeCuda.Live live() {
    FakeCuda.Live now = FakeCuda.live();
    return new FakeCuda.Live(
        now.device() - before.device(),
        now.pinned() - before.pinned(),
        now.streams() - before.streams(),
        now.events() - before.events(),
        now.contexts() - before.contexts());
  }

  GpuRuntime runtime() {
    return runtime;
  }

  CudaDevice device() {
    return runtime.device(0);
  }

  DeviceBuffer allocate(long lengthBytes) {
    return DeviceBuffer.allocate(device(), lengthBytes);
  }

  /** Memory that somebody else allocated. */
  long foreign(long lengthBytes) {
    try (CudaDevice.Binding _ = device().bind()) {
      return device().driver().allocate(lengthBytes);
    }
  }

  void freeForeign(long devicePointer) {
    try (CudaDevice.Binding _ = device().bind()) {
      device().driver().free(devicePointer);
    }
  }

  static byte[] pattern(long seed, int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }
}
