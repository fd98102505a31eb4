package io.s3rdma.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.gpu.DeviceBuffer;
import io.s3rdma.gpu.FakeCuda;
import io.s3rdma.gpu.Gpu;
import io.s3rdma.rdma.HostBuffer;
import io.s3rdma.rdma.LiveObjects;
import io.s3rdma.rdma.Rdma;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Device buffers end to end over the fake CUDA driver: bytes, guards and the way that the result
 * names. On the fake RDMA device all three ways; on Soft-RoCE, which takes no dma-buf, peer memory
 * and staging.
 */
@Tag("device")
final class GpuTransferTest {
  private static final int OBJECT = 9_000_001; // three staging slots
  private static final int MARGIN = 4096 + 256;

  private LiveObjects before;
  private FakeCuda.Live gpuBefore;
  private Lab lab;
  private S3RdmaClient client;
  private byte[] content;

  @BeforeAll
  static void install() {
    FakeCuda.install();
  }

  @BeforeEach
  void start() throws Exception {
    FakeCuda.reset();
    gpuBefore = FakeCuda.live();
    before = Lab.live();
    lab = new Lab();
    client = lab.builder().build();
    content = new byte[OBJECT];
    new Random(77).nextBytes(content);
  }

  @AfterEach
  void leavesNothingBehind() throws Exception {
    System.clearProperty("s3rdma.gpu.registration");
    client.close();
    lab.close();
    assertThat(Lab.live()).isEqualTo(before);
    assertThat(FakeCuda.live().device()).isEqualTo(gpuBefore.device());
    assertThat(FakeCuda.live().pinned()).isEqualTo(gpuBefore.pinned());
    assertThat(FakeCuda.guardsBroken()).isZero();
    assertThat(FakeCuda.freedChanged()).isZero();
    FakeCuda.reset();
  }

  @ParameterizedTest
  @CsvSource({
    "dma-buf, false", "dma-buf, true",
    "peer-memory, false", "peer-memory, true",
    "staging, false", "staging, true"
  })
  void shouldMoveADeviceBufferBothWays(String way, boolean interior) {
    System.setProperty("s3rdma.gpu.registration", way);
    if (way.equals("peer-memory")) {
      FakeCuda.touchable();
    } else {
      FakeCuda.protect(); // a CPU that follows a device pointer ends the process
    }
    int margin = interior ? MARGIN : 0;
    try (DeviceBuffer device = Gpu.allocate(0, OBJECT + 2L * margin)) {
      byte[] filled = new byte[(int) device.lengthBytes()];
      Arrays.fill(filled, (byte) 0x5a);
      System.arraycopy(content, 0, filled, margin, OBJECT);
      FakeCuda.write(device.devicePointer(), filled);

      TransferResult put =
          interior
              ? client.putObject(Lab.BUCKET, "gpu", device.slice(margin, OBJECT))
              : client.putObject(Lab.BUCKET, "gpu", device);
      check(put, way);
      assertThat(stored()).isEqualTo(content);

      byte[] poison = new byte[filled.length];
      Arrays.fill(poison, (byte) 0x5a);
      FakeCuda.write(device.devicePointer(), poison);
      TransferResult get =
          interior
              ? client.getObject(Lab.BUCKET, "gpu", device.slice(margin, OBJECT))
              : client.getObject(Lab.BUCKET, "gpu", device);
      check(get, way);
      assertThat(FakeCuda.read(device.devicePointer(), filled.length)).isEqualTo(filled);
    }
  }

  private static void check(TransferResult result, String way) {
    assertThat(result.transport()).isEqualTo(Transport.RDMA);
    assertThat(result.bytesByRdma()).isEqualTo(OBJECT);
    assertThat(result.bytesByHttp()).isZero();
    assertThat(result.verdict()).isEqualTo("exact");
    // Soft-RoCE takes no dma-buf: the planner then says so and stages.
    boolean refused = way.equals("dma-buf") && Rdma.provider().equals("verbs");
    assertThat(result.way().orElseThrow()).hasToString(refused ? "staging" : way);
  }

  private byte[] stored() {
    try (HostBuffer host = HostBuffer.allocate(OBJECT)) {
      client.getObject(Lab.BUCKET, "gpu", host);
      return host.segment().toArray(ValueLayout.JAVA_BYTE);
    }
  }

  @ParameterizedTest
  @CsvSource({"false", "true"})
  void shouldStageAnHttpFallbackThroughHostMemory(boolean slice) {
    FakeCuda.protect(); // P-7.3
    try (S3RdmaClient http = lab.builder().policy(RdmaPolicy.NEVER).build();
        DeviceBuffer device = Gpu.allocate(0, OBJECT + 2L * MARGIN)) {
      int offset = slice ? MARGIN : 0;
      byte[] filled = new byte[(int) device.lengthBytes()];
      System.arraycopy(content, 0, filled, offset, OBJECT);
      FakeCuda.write(device.devicePointer(), filled);
      TransferResult put = http.putObject(Lab.BUCKET, "gpu", device.slice(offset, OBJECT));
      assertThat(put.transport()).isEqualTo(Transport.HTTP);
      FakeCuda.write(device.devicePointer(), new byte[filled.length]);
      http.getObject(Lab.BUCKET, "gpu", device.slice(offset, OBJECT));
      assertThat(FakeCuda.read(device.devicePointer(), filled.length)).isEqualTo(filled);
    }
  }
}
