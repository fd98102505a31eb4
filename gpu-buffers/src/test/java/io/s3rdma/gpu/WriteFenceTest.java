package io.s3rdma.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WriteFenceTest {
  @RegisterExtension final FakeGpu gpu = new FakeGpu();

  @ParameterizedTest
  @CsvSource({
    "0, 0, true, IMPOSSIBLE",
    "0, 1, true, FLUSH",
    "0, 2, true, IMPOSSIBLE",
    "0, 3, true, FLUSH",
    "0, 1, false, IMPOSSIBLE",
    "99, 1, true, FLUSH",
    "100, 0, true, NONE_NEEDED",
    "100, 1, true, NONE_NEEDED",
    "100, 0, false, NONE_NEEDED",
    "200, 0, false, NONE_NEEDED"
  })
  void shouldDecideWhenAttributesAre(int ordering, int options, boolean call, WriteFence fence) {
    assertThat(WriteFence.of(ordering, options, call)).isEqualTo(fence);
  }

  @ParameterizedTest
  @CsvSource({"0, 1, FLUSH, 1", "100, 1, NONE_NEEDED, 0", "0, 0, IMPOSSIBLE, 0"})
  void shouldFlushOnlyWhenNeeded(int ordering, int options, WriteFence fence, long flushes) {
    FakeCuda.writesOrdering(ordering);
    FakeCuda.flushOptions(options);

    try (DeviceBuffer buffer = gpu.allocate(10)) {
      assertThat(buffer.fence()).isEqualTo(fence);
    }
    assertThat(FakeCuda.counters().flushes()).isEqualTo(flushes);
  }

  @Test
  void shouldFenceWhenThreadIsFresh() throws Exception {
    try (DeviceBuffer buffer = gpu.allocate(10)) {
      Thread.ofPlatform().start(buffer::fenceRemoteWrites).join();
      Thread.ofVirtual().start(buffer::fenceRemoteWrites).join();
    }
    assertThat(FakeCuda.counters().flushes()).isEqualTo(2);
  }
}
