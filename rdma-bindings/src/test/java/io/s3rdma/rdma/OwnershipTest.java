package io.s3rdma.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.rdma.RdmaException.Advice;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The ownership tree: children first, close once, nothing lost. */
@Tag("device")
final class OwnershipTest {
  private static final int EBUSY = 16;

  private LiveObjects before;
  private Arena arena;
  private RdmaDevice device;
  private ProtectionDomain domain;

  @BeforeEach
  @SuppressWarnings("MustBeClosedChecker") // closed after each test
  void open() {
    before = Rdma.liveObjects();
    arena = Arena.ofConfined();
    device =
        Rdma.open(
            RailFinder.find(Optional.empty(), 1, Optional.empty()).rail().orElseThrow().device());
    domain = device.allocateProtectionDomain();
  }

  @AfterEach
  void leavesNothingAlive() {
    domain.close();
    device.close();
    arena.close();
    assertThat(Rdma.liveObjects()).isEqualTo(before);
  }

  @Test
  void shouldNameChildrenWhenParentClosesFirst() {
    MemorySegment memory = arena.allocate(4096, 4096);
    try (MemoryRegion region = domain.register(memory, Set.of(Access.LOCAL_WRITE));
        MemoryWindow window = domain.allocateWindow()) {
      assertThatThrownBy(domain::close)
          .asInstanceOf(InstanceOfAssertFactories.throwable(RdmaException.class))
          .hasMessageContaining("protection domain of " + device.name())
          .hasMessageContaining("memory region of 4096 bytes")
          .hasMessageContaining("memory window")
          .extracting(RdmaException::advice)
          .isEqualTo(Advice.ABORT);
      assertThat(domain.isClosed()).isFalse();
      assertThat(region.isClosed() || window.isClosed()).isFalse();
    }
    assertThatThrownBy(device::close).hasMessageContaining("protection domain");
    assertThat(device.isClosed()).isFalse();
  }

  @Test
  void shouldDoNothingWhenClosedTwice() {
    MemoryWindow window = domain.allocateWindow();
    long windows = Rdma.liveObjects().memoryWindows();
    window.close();
    window.close();

    assertThat(window.isClosed()).isTrue();
    assertThat(Rdma.liveObjects().memoryWindows()).isEqualTo(windows - 1);
  }

  @Test
  void shouldFailTypedWhenUsedAfterClose() {
    CompletionQueue queue = device.createCompletionQueue(4);
    QueuePair pair = domain.createQueuePair(queue, 2);
    String name = pair.toString();
    pair.close();
    queue.close();

    assertThatThrownBy(pair::query)
        .isInstanceOf(RdmaException.class)
        .hasMessage(name + " is closed");
    assertThatThrownBy(queue::arm).isInstanceOf(RdmaException.class).hasMessageContaining("closed");
    ProtectionDomain other = device.allocateProtectionDomain();
    other.close();
    assertThatThrownBy(other::allocateWindow)
        .isInstanceOf(RdmaException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void shouldStayOpenWhenProviderRefusesToDestroy() {
    CompletionQueue queue = device.createCompletionQueue(4);
    try (QueuePair pair = domain.createQueuePair(queue, 2)) {
      assertThatThrownBy(queue::close)
          .asInstanceOf(InstanceOfAssertFactories.throwable(RdmaException.class))
          .satisfies(e -> assertThat(e.errno()).isEqualTo(EBUSY))
          .satisfies(e -> assertThat(e.call()).isEqualTo("ibv_destroy_cq"))
          .hasMessageContaining("EBUSY");
      assertThat(queue.isClosed()).isFalse();
      queue.arm(); // still usable
      assertThat(pair.completionQueue()).isSameAs(queue);
    }
    queue.close();
    assertThat(queue.isClosed()).isTrue();
  }

  @Test
  void shouldRefuseWhenMemoryIsNotNativeOrEmpty() {
    assertThatThrownBy(() -> domain.register(MemorySegment.ofArray(new byte[8]), Set.of()))
        .isInstanceOf(RdmaException.class)
        .hasMessageContaining("native memory");
    MemorySegment empty = arena.allocate(8).asSlice(0, 0);
    assertThatThrownBy(() -> domain.register(empty, Set.of())).isInstanceOf(RdmaException.class);
  }

  @Test
  void shouldCarryCallAndErrnoWhenDeviceDoesNotExist() {
    assertThatThrownBy(() -> Rdma.open("no-such-device"))
        .asInstanceOf(InstanceOfAssertFactories.throwable(RdmaException.class))
        .hasMessageContaining("no-such-device")
        .satisfies(e -> assertThat(e.errno()).isPositive())
        .satisfies(e -> assertThat(e.advice()).isEqualTo(Advice.FALL_BACK));
  }
}
