package io.s3rdma.server.http;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What all bodies together hold that arrived and was not read yet. Above the mark no connection
 * reads ahead any more: each holds one message, until its reader wants the next. Thread-safe.
 */
final class BodyMemory {
  private final long bytesMax;
  private final AtomicLong bytes = new AtomicLong();

  BodyMemory(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  void add(long count) {
    bytes.addAndGet(count);
  }

  boolean isFull() {
    return bytes.get() >= bytesMax;
  }

  long bytes() {
    return bytes.get();
  }
}
