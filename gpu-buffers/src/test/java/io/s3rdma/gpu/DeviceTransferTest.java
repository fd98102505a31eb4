package io.s3rdma.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.rdma.BufferRegistration;
import io.s3rdma.rdma.CompletionStatus;
import io.s3rdma.rdma.FakeDevice;
import io.s3rdma.rdma.RegistrationWay;
import io.s3rdma.rdma.TransferRight;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A peer's bytes must land in the wrapped range and nowhere else, whichever way it registered. */
class DeviceTransferTest {
  private static final int ALLOCATION = 40_000;

  @RegisterExtension final FakeGpu gpu = new FakeGpu();

  @BeforeEach
  void reset() {
    FakeDevice.reset();
  }

  @AfterEach
  void unforce() {
    System.clearProperty(RegistrationPlanner.WAY_PROPERTY);
  }

  @ParameterizedTest
  @CsvSource({
    "dma-buf, true, -1, 0, 40000",
    "dma-buf, true, 768, 5001, 9999",
    "dma-buf, false, 256, 4095, 2",
    "dma-buf, false, 0, 4096, 4096",
    "dma-buf, true, 3840, 256, 1",
    "peer-memory, false, 768, 5001, 9999",
    "peer-memory, false, 0, 0, 40000"
  })
  void shouldLandExactlyWhenPeerWrites(
      String way, boolean cpuForbidden, int baseOffset, int start, int length) {
    System.setProperty(RegistrationPlanner.WAY_PROPERTY, way);
    FakeCuda.baseOffset(baseOffset);
    if (cpuForbidden) {
      FakeCuda.protect();
    }
    long foreign = gpu.foreign(ALLOCATION);
    byte[] expected = FakeGpu.pattern(start, ALLOCATION);
    FakeCuda.write(foreign, expected);
    byte[] sent = FakeGpu.pattern(length, length);
    System.arraycopy(sent, 0, expected, start, length);

    try (Loopback fabric = new Loopback();
        DeviceBuffer buffer = DeviceBuffer.wrap(gpu.device(), foreign + start, length);
        BufferRegistration target = buffer.register(fabric.domain(), TransferRight.REMOTE_WRITE)) {
      assertThat(target.way().toString()).isEqualTo(way);
      assertThat(fabric.write(target, 0, sent)).isEqualTo(CompletionStatus.SUCCESS);
      assertThat(buffer.fence()).isEqualTo(WriteFence.FLUSH);
    }

    assertThat(FakeCuda.read(foreign, ALLOCATION)).isEqualTo(expected);
    gpu.freeForeign(foreign);
  }

  @ParameterizedTest
  @CsvSource({"dma-buf", "peer-memory"})
  void shouldGiveOnlyOwnBytesWhenPeerReads(String way) {
    System.setProperty(RegistrationPlanner.WAY_PROPERTY, way);
    long foreign = gpu.foreign(ALLOCATION);
    byte[] all = FakeGpu.pattern(9, ALLOCATION);
    FakeCuda.write(foreign, all);

    try (Loopback fabric = new Loopback();
        DeviceBuffer buffer = DeviceBuffer.wrap(gpu.device(), foreign + 1_111, 2_222);
        BufferRegistration source = buffer.register(fabric.domain(), TransferRight.REMOTE_READ)) {
      assertThat(fabric.read(source, 0, 2_222))
          .isEqualTo(java.util.Arrays.copyOfRange(all, 1_111, 3_333));
      assertThat(fabric.read(source, 1, 2_222)).as("one byte past the end").isEmpty();
    }
    gpu.freeForeign(foreign);
  }

  @ParameterizedTest
  @CsvSource({"REMOTE_READ", "REMOTE_WRITE"})
  void shouldRefuseOtherDirectionWhenRegionCarriesRight(TransferRight right) {
    try (Loopback fabric = new Loopback();
        DeviceBuffer buffer = gpu.allocate(100);
        BufferRegistration registration = buffer.register(fabric.domain(), right)) {
      assertThat(registration.way()).isEqualTo(RegistrationWay.DMA_BUF);
      if (right == TransferRight.REMOTE_READ) {
        assertThat(fabric.write(registration, 0, new byte[10]))
            .isEqualTo(CompletionStatus.REMOTE_ACCESS);
      } else {
        assertThat(fabric.read(registration, 0, 10)).isEmpty();
      }
    }
  }
}
