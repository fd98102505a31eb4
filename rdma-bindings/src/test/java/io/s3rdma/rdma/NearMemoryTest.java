package io.s3rdma.rdma;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.rdma.NearMemory.Pages;
import java.lang.foreign.MemorySegment;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory for staging: whole, zeroed, registrable, and gone after its close. */
@Tag("device")
final class NearMemoryTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 4096, 2 << 20, (8 << 20) + 5})
  void shouldBeWholeAndZeroed(long bytes) {
    try (NearMemory memory = NearMemory.map(bytes, OptionalInt.empty())) {
      MemorySegment all = memory.segment();
      assertThat(all.byteSize()).isEqualTo(bytes);
      assertThat(all.address() % 4096).isZero();
      assertThat(all.get(JAVA_BYTE, 0) | all.get(JAVA_BYTE, bytes - 1)).isZero();
      all.fill((byte) 3);
      assertThat(all.get(JAVA_BYTE, bytes - 1)).isEqualTo((byte) 3);
      assertThat(memory.node()).isEmpty();
      if (bytes < 2 << 20) {
        assertThat(memory.pages()).isEqualTo(Pages.NORMAL);
      }
    }
  }

  @Test
  void shouldBeRegistrableNearTheDevice() {
    try (TestEnd end = new TestEnd();
        NearMemory memory = NearMemory.map(4 << 20, OptionalInt.of(0));
        MemoryRegion region = end.domain().register(memory.segment(), Set.of(Access.LOCAL_WRITE))) {
      assertThat(region.lengthBytes()).isEqualTo(4 << 20);
      // Where the kernel lets us choose, the node is the one that was asked for.
      assertThat(memory.node().orElse(0)).isZero();
    }
  }

  @Test
  void shouldRefuseAccessAfterClose() {
    NearMemory memory = NearMemory.map(4096, OptionalInt.empty());
    MemorySegment all = memory.segment();
    memory.close();
    memory.close();
    assertThatThrownBy(() -> all.get(JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldSaySoWhenThereIsNotAsMuch() {
    assertThatThrownBy(() -> NearMemory.map(1L << 62, OptionalInt.empty()))
        .isInstanceOf(RdmaException.class)
        .hasMessageContaining("4611686018427387904 bytes");
  }
}
