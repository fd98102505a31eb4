package io.s3rdma.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.rdma.BufferRegistration;
import io.s3rdma.rdma.ProtectionDomain;
import io.s3rdma.rdma.Rdma;
import io.s3rdma.rdma.RdmaDevice;
import io.s3rdma.rdma.RdmaException;
import io.s3rdma.rdma.RegistrationWay;
import io.s3rdma.rdma.TransferBuffer;
import io.s3rdma.rdma.TransferRight;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PinnedBufferTest {
  @RegisterExtension final FakeGpu gpu = new FakeGpu();

  @Test
  void shouldBehaveLikeHostMemoryWhenUsed() {
    byte[] bytes = FakeGpu.pattern(1, 500);
    byte[] back = new byte[500];
    try (PinnedBuffer buffer = PinnedBuffer.allocate(gpu.device(), 1_000)) {
      assertThat(buffer.kind()).isEqualTo(TransferBuffer.Kind.PINNED);
      assertThat(buffer.segment().toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
      buffer.slice(100, 900).copyIn(7, MemorySegment.ofArray(bytes));
      buffer.copyOut(107, MemorySegment.ofArray(back));
      buffer.fenceRemoteWrites();
      assertThatThrownBy(() -> buffer.openStaging(1, 1))
          .isInstanceOf(UnsupportedOperationException.class);
    }
    assertThat(back).isEqualTo(bytes);
  }

  @Test
  void shouldCarryWindowsWhenRegistered() {
    try (RdmaDevice device = Rdma.open(Rdma.deviceNames().getFirst());
        ProtectionDomain domain = device.allocateProtectionDomain();
        PinnedBuffer buffer = PinnedBuffer.allocate(gpu.device(), 1_000);
        BufferRegistration registration = buffer.register(domain, TransferRight.REMOTE_WRITE)) {
      assertThat(registration.way()).isEqualTo(RegistrationWay.HOST);
      assertThat(registration.carriesWindows()).isTrue();
      assertThat(registration.baseAddress()).isEqualTo(buffer.segment().address());
    }
  }

  @Test
  void shouldRefuseUseWhenClosed() {
    PinnedBuffer buffer = PinnedBuffer.allocate(gpu.device(), 10);
    MemorySegment memory = buffer.segment();
    buffer.close();
    buffer.close();

    assertThatThrownBy(() -> buffer.copyIn(0, MemorySegment.ofArray(new byte[1])))
        .isInstanceOf(RdmaException.class)
        .hasMessageContaining("is closed");
    assertThatThrownBy(() -> memory.get(ValueLayout.JAVA_BYTE, 0))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldRefuseWhenLengthIsZero() {
    assertThatThrownBy(() -> PinnedBuffer.allocate(gpu.device(), 0))
        .isInstanceOf(RdmaException.class);
  }
}
