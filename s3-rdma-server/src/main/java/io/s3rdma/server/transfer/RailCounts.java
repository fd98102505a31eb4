package io.s3rdma.server.transfer;

import java.util.concurrent.atomic.LongAdder;

/** What a rail carried since the start, whatever became of its device. Thread-safe. */
final class RailCounts {
  private final LongAdder written = new LongAdder();
  private final LongAdder read = new LongAdder();
  private final LongAdder failures = new LongAdder();

  void moved(boolean write, long bytes) {
    (write ? written : read).add(bytes);
  }

  void failed() {
    failures.increment();
  }

  long bytesWritten() {
    return written.sum();
  }

  long bytesRead() {
    return read.sum();
  }

  long failures() {
    return failures.sum();
  }
}
