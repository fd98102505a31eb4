package io.s3rdma.server.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.s3rdma.rdma.FakeDevice;
import io.s3rdma.rdma.TransferRight;
import io.s3rdma.rdma.wire.RemoteDescriptor;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** The completion thread allocates nothing per completion. */
final class CompletionAllocationTest {
  private static final int CHUNKS = 64;
  private static final long SIZE = (long) CHUNKS * TestConfig.CHUNK;
  private static final int WARM_UP = 200;
  private static final int TRANSFERS = 100;

  @Test
  void shouldAllocateNothingPerCompletion() {
    FakeDevice.reset();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    assertThat(threads.isThreadAllocatedMemoryEnabled()).isTrue();
    try (Transfers transfers = new TestConfig().open();
        Peer peer = Peer.connected(transfers, SIZE)) {
      RemoteDescriptor at = peer.window(0, SIZE, TransferRight.REMOTE_WRITE);
      long thread = completionThread();
      // Until the compiler has seen it: an interpreter's method handles allocate.
      move(transfers, peer, at, WARM_UP);

      long least = Long.MAX_VALUE;
      for (int round = 0; round < 5 && least > 0; round++) {
        long before = threads.getThreadAllocatedBytes(thread);
        move(transfers, peer, at, TRANSFERS);
        least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
      }
      // One object per completion would be at least 16 bytes for each of these.
      int completions = TRANSFERS * CHUNKS;
      assertThat(least).isLessThan(completions / 10);
    }
  }

  private static void move(Transfers transfers, Peer peer, RemoteDescriptor at, int times) {
    ByteSource source = (position, target) -> target.position(target.limit());
    for (int i = 0; i < times; i++) {
      peer.get(transfers, at, source, SIZE, Deadline.in(60_000), Peer.NEVER);
    }
  }

  private static long completionThread() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("s3rdma-cq-fake0/1"))
        .findFirst()
        .orElseThrow()
        .threadId();
  }
}
