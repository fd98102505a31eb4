package io.s3rdma.server.s3;

import java.util.concurrent.atomic.LongAdder;

/** What lifecycle rules did since the start. */
public record LifecycleCounts(
    LongAdder passes,
    LongAdder looked,
    LongAdder expired,
    LongAdder noncurrentRemoved,
    LongAdder markersRemoved,
    LongAdder uploadsAborted,
    LongAdder failures) {

  LifecycleCounts() {
    this(
        new LongAdder(),
        new LongAdder(),
        new LongAdder(),
        new LongAdder(),
        new LongAdder(),
        new LongAdder(),
        new LongAdder());
  }

  long actions() {
    return expired.sum() + noncurrentRemoved.sum() + markersRemoved.sum() + uploadsAborted.sum();
  }
}
