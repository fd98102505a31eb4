package io.s3rdma.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Memory is freed at most once, never under a lease, never after a failed fence (P-4.9). */
final class BufferLifecycleTest {
  private final List<String> events = new ArrayList<>();
  private final BufferLifecycle lifecycle = new BufferLifecycle("the buffer");

  private void free() {
    events.add("free");
  }

  @Test
  void shouldRefuseToCloseWhenLeaseIsHeld() {
    BufferLifecycle.Lease first = lifecycle.lease();
    BufferLifecycle.Lease second = lifecycle.lease();
    assertThatThrownBy(() -> lifecycle.close(this::free))
        .isInstanceOf(RdmaException.class)
        .hasMessageContaining("the buffer")
        .hasMessageContaining("2 transfer(s)");
    first.close();
    first.close(); // counted once
    assertThatThrownBy(() -> lifecycle.close(this::free)).hasMessageContaining("1 transfer(s)");
    second.close();
    assertThat(events).isEmpty();
    lifecycle.close(this::free);
    assertThat(events).containsExactly("free");
  }

  @Test
  void shouldFreeOnceWhenClosedTwice() {
    lifecycle.close(this::free);
    lifecycle.close(this::free);

    assertThat(events).containsExactly("free");
    assertThat(lifecycle.isClosed()).isTrue();
  }

  @Test
  void shouldRefuseUseWhenClosed() {
    lifecycle.close(this::free);

    assertThatThrownBy(lifecycle::lease).hasMessage("the buffer is closed");
    assertThatThrownBy(lifecycle::checkUsable).isInstanceOf(RdmaException.class);
    assertThatThrownBy(() -> lifecycle.addHook(() -> {})).isInstanceOf(RdmaException.class);
  }

  @Test
  void shouldKeepMemoryWhenQuarantined() {
    lifecycle.addHook(() -> events.add("hook"));
    lifecycle.quarantine("the fence failed");

    assertThat(lifecycle.isQuarantined()).isTrue();
    assertThatThrownBy(lifecycle::lease)
        .hasMessageContaining("quarantined")
        .hasMessageContaining("the fence failed");
    lifecycle.close(this::free);
    assertThat(lifecycle.isClosed()).isTrue();
    assertThat(events).containsExactly("hook");
  }

  @Test
  void shouldRunHooksLastFirstWhenClosed() {
    lifecycle.addHook(() -> events.add("first"));
    AutoCloseable removed = lifecycle.addHook(() -> events.add("removed"));
    lifecycle.addHook(() -> events.add("last"));
    lifecycle.removeHook(removed);

    lifecycle.close(this::free);

    assertThat(events).containsExactly("last", "first", "free");
  }

  @Test
  void shouldQuarantineAndRunOthersWhenHookFails() {
    lifecycle.addHook(() -> events.add("first"));
    lifecycle.addHook(
        () -> {
          throw new IllegalStateException("EBUSY");
        });
    lifecycle.addHook(
        () -> {
          throw new IllegalStateException("EIO");
        });

    assertThatThrownBy(() -> lifecycle.close(this::free))
        .isInstanceOf(RdmaException.class)
        .hasMessageContaining("the buffer")
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(2));

    // A region that is still registered pins the pages: they must not be given away.
    assertThat(events).containsExactly("first");
    assertThat(lifecycle.isQuarantined()).isTrue();
    lifecycle.close(this::free);
    assertThat(events).doesNotContain("free");
  }
}
