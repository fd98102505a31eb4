package io.s3rdma.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.rdma.BufferRegistration;
import io.s3rdma.rdma.FakeDevice;
import io.s3rdma.rdma.ProtectionDomain;
import io.s3rdma.rdma.Rdma;
import io.s3rdma.rdma.RdmaDevice;
import io.s3rdma.rdma.RdmaException;
import io.s3rdma.rdma.RegistrationWay;
import io.s3rdma.rdma.TransferRight;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RegistrationPlannerTest {
  private static final int EINVAL = 22;
  private static final int ENOMEM = 12;
  private static final int ENOTSUPP = 524;

  @RegisterExtension final FakeGpu gpu = new FakeGpu();

  private RdmaDevice rdma;
  private ProtectionDomain domain;

  @BeforeEach
  void open() {
    FakeDevice.reset();
    rdma = Rdma.open(Rdma.deviceNames().getFirst());
    domain = rdma.allocateProtectionDomain();
  }

  @AfterEach
  void close() {
    System.clearProperty(RegistrationPlanner.WAY_PROPERTY);
    FakeDevice.reset();
    domain.close();
    rdma.close();
  }

  private static void force(String way) {
    System.setProperty(RegistrationPlanner.WAY_PROPERTY, way);
  }

  private static void failNext(FakeDevice.Fault fault, long errno) {
    FakeDevice.arm(fault, FakeDevice.Operation.WRITE_OR_READ, 0, 1, errno);
  }

  private RegistrationWay wayOf(DeviceBuffer buffer) {
    try (BufferRegistration registration = buffer.register(domain, TransferRight.REMOTE_WRITE)) {
      return registration.way();
    }
  }

  private String refusalOf(DeviceBuffer buffer, TransferRight right) {
    AtomicReference<String> message = new AtomicReference<>("");
    assertThatThrownBy(() -> buffer.register(domain, right).close())
        .isInstanceOfSatisfying(
            RdmaException.class,
            e -> {
              assertThat(e.advice()).isEqualTo(RdmaException.Advice.FALL_BACK);
              message.set(e.getMessage());
            });
    return message.get();
  }

  // ---- dma-buf ----

  @Test
  void shouldTakeDmaBufFirstWhenAllIsSupported() {
    try (DeviceBuffer buffer = gpu.allocate(10_000);
        BufferRegistration registration = buffer.register(domain, TransferRight.REMOTE_WRITE)) {
      assertThat(registration.way()).isEqualTo(RegistrationWay.DMA_BUF);
      assertThat(registration.baseAddress()).isEqualTo(buffer.devicePointer());
      assertThat(registration.region().lengthBytes()).isEqualTo(10_000);
      assertThat(registration.carriesWindows()).isFalse();
    }
    assertThat(FakeCuda.counters().exportsPcie()).isOne();
    assertThat(FakeCuda.counters().exports()).isZero();
  }

  @Test
  void shouldExportWithoutFlagWhenPcieMappingIsRefused() {
    FakeCuda.pcieMapping(false);
    try (DeviceBuffer buffer = gpu.allocate(10_000)) {
      assertThat(wayOf(buffer)).isEqualTo(RegistrationWay.DMA_BUF);
    }
    assertThat(FakeCuda.counters().exports()).isOne();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 256, 3840})
  void shouldExportWholePagesWhenAllocationBeginsInsidePage(int offset) {
    FakeCuda.baseOffset(offset);
    try (DeviceBuffer buffer = gpu.allocate(70_001)) {
      assertThat(wayOf(buffer.slice(65_537, 64))).isEqualTo(RegistrationWay.DMA_BUF);
    }
  }

  @Test
  void shouldCloseDescriptorWhenRegisteredOrRefused() {
    try (DeviceBuffer buffer = gpu.allocate(10_000)) {
      assertThat(wayOf(buffer)).isEqualTo(RegistrationWay.DMA_BUF);
      long before = openDescriptors();
      for (int i = 0; i < 20; i++) {
        assertThat(wayOf(buffer)).isEqualTo(RegistrationWay.DMA_BUF);
        failNext(FakeDevice.Fault.REGISTER_DMABUF_ERRNO, ENOMEM);
        assertThat(wayOf(buffer)).isEqualTo(RegistrationWay.PEER_MEMORY);
      }
      assertThat(openDescriptors()).isLessThan(before + 10);
    }
  }

  private static long openDescriptors() {
    String[] names = Path.of("/proc/self/fd").toFile().list();
    return names == null ? 0 : names.length;
  }

  // ---- peer memory ----

  @Test
  void shouldTakePeerMemoryWithWindowsWhenGpuExportsNothing() {
    FakeCuda.dmaBuf(false);
    try (DeviceBuffer buffer = gpu.allocate(10_000);
        BufferRegistration registration = buffer.register(domain, TransferRight.REMOTE_WRITE)) {
      assertThat(registration.way()).isEqualTo(RegistrationWay.PEER_MEMORY);
      assertThat(registration.carriesWindows()).isTrue();
      assertThat(registration.baseAddress()).isEqualTo(buffer.devicePointer());
    }
  }

  @Test
  void shouldScopeRightWhenPeerMemoryTakesNoWindows() {
    force("peer-memory");
    failNext(FakeDevice.Fault.REGISTER_ERRNO, EINVAL);
    try (DeviceBuffer buffer = gpu.allocate(10_000);
        BufferRegistration registration = buffer.register(domain, TransferRight.REMOTE_READ)) {
      assertThat(registration.way()).isEqualTo(RegistrationWay.PEER_MEMORY);
      assertThat(registration.carriesWindows()).isFalse();
    }
  }

  // ---- what is remembered ----

  @ParameterizedTest
  @ValueSource(ints = {95, 93, ENOTSUPP})
  void shouldProbeOnceWhenNicTakesNoDmaBuf(int errno) {
    failNext(FakeDevice.Fault.REGISTER_DMABUF_ERRNO, errno);
    try (DeviceBuffer buffer = gpu.allocate(10_000)) {
      assertThat(wayOf(buffer)).isEqualTo(RegistrationWay.PEER_MEMORY);
      assertThat(wayOf(buffer)).isEqualTo(RegistrationWay.PEER_MEMORY);
    }
    assertThat(FakeCuda.counters().exportsPcie()).isOne();
  }

  @ParameterizedTest
  @ValueSource(ints = {ENOMEM, EINVAL})
  void shouldTryAgainWhenCauseWasMomentary(int errno) {
    failNext(FakeDevice.Fault.REGISTER_DMABUF_ERRNO, errno);
    try (DeviceBuffer buffer = gpu.allocate(10_000)) {
      assertThat(wayOf(buffer)).isEqualTo(RegistrationWay.PEER_MEMORY);
      assertThat(wayOf(buffer)).isEqualTo(RegistrationWay.DMA_BUF);
    }
  }

  @Test
  void shouldNotBlameGpuWhenForeignMemoryIsUnreachable() {
    FakeCuda.dmaBuf(false);
    FakeCuda.protect();
    long foreign = gpu.foreign(10_000);
    try (DeviceBuffer wrapped = DeviceBuffer.wrap(gpu.device(), foreign, 10_000)) {
      assertThat(refusalOf(wrapped, TransferRight.REMOTE_WRITE)).contains("EFAULT");
    }
    gpu.freeForeign(foreign);

    FakeCuda.touchable();
    try (DeviceBuffer buffer = gpu.allocate(10_000)) {
      assertThat(wayOf(buffer)).isEqualTo(RegistrationWay.PEER_MEMORY);
    }
  }

  @Test
  void shouldRememberMissingModuleWhenOwnMemoryIsUnreachable() {
    FakeCuda.dmaBuf(false);
    FakeCuda.protect();
    try (DeviceBuffer buffer = gpu.allocate(10_000)) {
      assertThat(refusalOf(buffer, TransferRight.REMOTE_WRITE)).contains("EFAULT");
      failNext(FakeDevice.Fault.REGISTER_ERRNO, ENOMEM);
      assertThat(refusalOf(buffer, TransferRight.REMOTE_WRITE))
          .contains("EFAULT")
          .doesNotContain("ENOMEM");
    }
  }

  // ---- staging ----

  @Test
  void shouldSayWhyEachWayFailedWhenOnlyStagingIsLeft() {
    FakeCuda.protect();
    FakeDevice.dmabuf(false);
    try (DeviceBuffer buffer = gpu.allocate(10_000)) {
      assertThat(refusalOf(buffer, TransferRight.REMOTE_WRITE))
          .contains("needs staging on fake0")
          .contains("dma-buf: ibv_reg_dmabuf_mr failed with errno 95")
          .contains("peer-memory: ibv_reg_mr failed with errno 14");
    }
  }

  @Test
  void shouldNameAttributesWhenGpuSupportsNothing() {
    FakeCuda.dmaBuf(false);
    FakeCuda.peerMemory(false);
    try (DeviceBuffer buffer = gpu.allocate(10_000)) {
      assertThat(refusalOf(buffer, TransferRight.REMOTE_READ))
          .contains("DMA_BUF_SUPPORTED", "GPU_DIRECT_RDMA_SUPPORTED");
    }
  }

  @Test
  void shouldForbidRemoteWritesWhenTheyCannotBeFenced() {
    FakeCuda.flushOptions(0);
    try (DeviceBuffer buffer = gpu.allocate(10_000)) {
      assertThat(refusalOf(buffer, TransferRight.REMOTE_WRITE)).contains("neither orders nor");
      try (BufferRegistration reading = buffer.register(domain, TransferRight.REMOTE_READ)) {
        assertThat(reading.way()).isEqualTo(RegistrationWay.DMA_BUF);
      }
      force("peer-memory");
      try (BufferRegistration reading = buffer.register(domain, TransferRight.REMOTE_READ)) {
        assertThat(reading.carriesWindows()).as("a window would allow writes").isFalse();
      }
    }
  }

  @Test
  void shouldNameVersionWhenDriverIsOld() {
    GpuRuntime old = GpuRuntime.load(FakeCuda.oldLibrary().toString());
    try (old;
        DeviceBuffer buffer = DeviceBuffer.allocate(old.device(0), 100)) {
      assertThat(refusalOf(buffer, TransferRight.REMOTE_READ)).contains("11020", "CUDA 11.7");
      assertThat(refusalOf(buffer, TransferRight.REMOTE_WRITE)).contains("neither orders nor");
    }
  }

  // ---- forcing ----

  @ParameterizedTest
  @CsvSource({"auto, DMA_BUF", "dma-buf, DMA_BUF", "peer-memory, PEER_MEMORY"})
  void shouldTakeOnlyThatWayWhenForced(String property, RegistrationWay way) {
    force(property);
    try (DeviceBuffer buffer = gpu.allocate(10_000)) {
      assertThat(wayOf(buffer)).isEqualTo(way);
    }
  }

  @Test
  void shouldNotTryOthersWhenForcedWayFails() {
    force("dma-buf");
    FakeCuda.dmaBuf(false);
    try (DeviceBuffer buffer = gpu.allocate(10_000)) {
      assertThat(refusalOf(buffer, TransferRight.REMOTE_WRITE)).doesNotContain("peer-memory");
      force("staging");
      assertThat(refusalOf(buffer, TransferRight.REMOTE_WRITE)).contains("is staging");
      force("dmabuf");
      assertThatThrownBy(() -> wayOf(buffer)).hasMessageContaining("known are auto, dma-buf");
    }
  }

  // ---- misuse and threads ----

  @Test
  void shouldBlameCallerWhenDomainIsClosed() {
    ProtectionDomain closed = rdma.allocateProtectionDomain();
    closed.close();
    try (DeviceBuffer buffer = gpu.allocate(10_000)) {
      assertThatThrownBy(() -> buffer.register(closed, TransferRight.REMOTE_WRITE).close())
          .isInstanceOfSatisfying(
              RdmaException.class,
              e -> assertThat(e.advice()).isEqualTo(RdmaException.Advice.ABORT));
      assertThat(wayOf(buffer)).isEqualTo(RegistrationWay.DMA_BUF);
    }
  }

  @Test
  void shouldRegisterWhenThreadIsFresh() throws Exception {
    AtomicReference<RegistrationWay> way = new AtomicReference<>();
    try (DeviceBuffer buffer = gpu.allocate(10_000)) {
      Thread.ofPlatform().start(() -> way.set(wayOf(buffer))).join();
      assertThat(way.getAndSet(null)).isEqualTo(RegistrationWay.DMA_BUF);
      Thread.ofVirtual().start(() -> way.set(wayOf(buffer))).join();
      assertThat(way.get()).isEqualTo(RegistrationWay.DMA_BUF);
    }
  }
}
