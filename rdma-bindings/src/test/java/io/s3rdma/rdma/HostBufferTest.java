package io.s3rdma.rdma;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Host memory as a transfer buffer. */
@Tag("device")
final class HostBufferTest {
  @Test
  void shouldBePageAlignedAndZeroWhenAllocated() {
    try (HostBuffer buffer = HostBuffer.allocate(10_000)) {
      assertThat(buffer.segment().address() % 4096).isZero();
      assertThat(buffer.segment().toArray(JAVA_BYTE)).containsOnly(0);
      assertThat(buffer.lengthBytes()).isEqualTo(10_000);
      assertThat(buffer.kind()).isEqualTo(TransferBuffer.Kind.HOST);
      assertThat(buffer.whole()).isSameAs(buffer);
      assertThat(buffer.offsetInWhole()).isZero();
    }
  }

  @Test
  void shouldShareMemoryAndLifecycleWhenSliced() {
    HostBuffer buffer = HostBuffer.allocate(8192);
    HostBuffer slice = buffer.slice(1000, 500).slice(100, 50);

    slice.segment().fill((byte) 7);
    assertThat(buffer.segment().get(JAVA_BYTE, 1099)).isZero();
    assertThat(buffer.segment().get(JAVA_BYTE, 1100)).isEqualTo((byte) 7);
    assertThat(buffer.segment().get(JAVA_BYTE, 1149)).isEqualTo((byte) 7);
    assertThat(buffer.segment().get(JAVA_BYTE, 1150)).isZero();
    assertThat(slice.whole()).isSameAs(buffer);
    assertThat(slice.offsetInWhole()).isEqualTo(1100);
    assertThat(slice.lifecycle()).isSameAs(buffer.lifecycle());
    slice.close(); // a view owns nothing
    assertThat(buffer.lifecycle().isClosed()).isFalse();
    buffer.close();
    assertThatThrownBy(() -> slice.copyIn(0, MemorySegment.ofArray(new byte[1])))
        .isInstanceOf(RdmaException.class)
        .hasMessageContaining("closed");
    assertThatThrownBy(() -> buffer.segment().get(JAVA_BYTE, 0))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldRefuseWhenSliceReachesPastTheEnd() {
    try (HostBuffer buffer = HostBuffer.allocate(100)) {
      assertThatThrownBy(() -> buffer.slice(60, 41)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> buffer.slice(-1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> buffer.slice(Long.MAX_VALUE, 1))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void shouldLeaveMemoryToCallerWhenWrapped() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mine = arena.allocate(64);
      HostBuffer buffer = HostBuffer.wrap(mine);
      buffer.copyIn(8, MemorySegment.ofArray(new byte[] {1, 2, 3}));
      byte[] out = new byte[3];
      buffer.copyOut(8, MemorySegment.ofArray(out));
      buffer.close();

      assertThat(out).containsExactly(1, 2, 3);
      assertThat(mine.get(JAVA_BYTE, 9)).isEqualTo((byte) 2);
      assertThatThrownBy(() -> buffer.copyOut(0, MemorySegment.ofArray(out)))
          .isInstanceOf(RdmaException.class);
    }
  }

  @Test
  void shouldRefuseWhenMemoryIsOnHeapOrEmpty() {
    assertThatThrownBy(() -> HostBuffer.wrap(MemorySegment.ofArray(new byte[8])))
        .isInstanceOf(RdmaException.class);
    assertThatThrownBy(() -> HostBuffer.wrap(MemorySegment.NULL)).isInstanceOf(RdmaException.class);
    assertThatThrownBy(() -> HostBuffer.allocate(0)).isInstanceOf(RdmaException.class);
    try (HostBuffer buffer = HostBuffer.allocate(1)) {
      assertThatThrownBy(() -> buffer.openStaging(4096, 1))
          .isInstanceOf(UnsupportedOperationException.class);
    }
  }

  @Test
  void shouldCarryWindowsWhenDeviceHasType2() { // P-4.11
    String name =
        RailFinder.find(Optional.empty(), 1, Optional.empty()).rail().orElseThrow().device();
    try (RdmaDevice device = Rdma.open(name);
        ProtectionDomain domain = device.allocateProtectionDomain();
        HostBuffer buffer = HostBuffer.allocate(4096);
        BufferRegistration registration = buffer.register(domain, TransferRight.REMOTE_WRITE)) {
      assertThat(registration.way()).isEqualTo(RegistrationWay.HOST);
      assertThat(registration.way()).hasToString("host");
      assertThat(registration.baseAddress()).isEqualTo(buffer.segment().address());
      assertThat(registration.carriesWindows()).isEqualTo(device.attributes().windowsType2());
      assertThat(registration.region().lengthBytes()).isEqualTo(4096);
      assertThat(registration.region().remoteKey()).hasToString("rkey(hidden)"); // P-3.4
    }
  }

  @Test
  void shouldGrantOneRightWhenRegionCarriesTheTransferItself() { // P-4.11
    assertThat(TransferRight.REMOTE_WRITE.regionAccess())
        .containsExactlyInAnyOrder(Access.LOCAL_WRITE, Access.REMOTE_WRITE);
    assertThat(TransferRight.REMOTE_READ.regionAccess()).containsExactly(Access.REMOTE_READ);
  }
}
