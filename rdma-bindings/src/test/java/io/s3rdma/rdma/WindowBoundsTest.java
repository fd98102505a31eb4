package io.s3rdma.rdma;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * P-4.11: a key reaches exactly the bytes of its request. Not over Soft-RoCE, which holds a peer to
 * the bounds of the region below a window and not to the window's own.
 */
final class WindowBoundsTest {
  private static final int START = 777;
  private static final int LENGTH = 4096;

  @ParameterizedTest
  @CsvSource({
    "REMOTE_WRITE, -1, 4096",
    "REMOTE_WRITE, 1, 4096",
    "REMOTE_WRITE, 0, 4097",
    "REMOTE_WRITE, 4096, 1",
    "REMOTE_READ, -1, 4096",
    "REMOTE_READ, 1, 4096",
    "REMOTE_READ, 0, 4097",
    "REMOTE_READ, 4096, 1",
  })
  void shouldRefusePeerWhenRangeLeavesTheWindow(TransferRight right, int offset, int length) {
    try (TestEnd near = new TestEnd();
        TestEnd far = new TestEnd()) {
      TestEnd.connect(near, far);
      MemorySegment own = near.memory(8192).asSlice(0, length);
      MemoryRegion local = near.register(own);
      MemorySegment target = far.memory(8192).fill((byte) 7);
      MemoryRegion remote = far.register(target);
      long start = target.address() + START;
      RemoteKey key = far.bind(far.window(), remote, start, LENGTH, right);
      if (right == TransferRight.REMOTE_WRITE) {
        near.postWrite(1, local, own, start + offset, key);
      } else {
        near.postRead(1, local, own, start + offset, key);
      }

      assertThat(near.await().status()).isEqualTo(CompletionStatus.REMOTE_ACCESS);
      assertThat(target.toArray(JAVA_BYTE)).containsOnly(7);
      assertThat(own.toArray(JAVA_BYTE)).containsOnly(0);
    }
  }
}
