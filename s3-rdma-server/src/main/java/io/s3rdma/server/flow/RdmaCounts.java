package io.s3rdma.server.flow;

import io.s3rdma.rdma.wire.DeclineReason;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Declines by reason and failed transfers since the start. Thread-safe. */
public final class RdmaCounts {
  private final Map<DeclineReason, LongAdder> declines = new EnumMap<>(DeclineReason.class);
  private final LongAdder failures = new LongAdder();

  RdmaCounts() {
    for (DeclineReason reason : DeclineReason.values()) {
      declines.put(reason, new LongAdder());
    }
  }

  void declined(DeclineReason reason) {
    declines.get(reason).increment();
  }

  void failed() {
    failures.increment();
  }

  public long declines(DeclineReason reason) {
    return declines.get(reason).sum();
  }

  public long failures() {
    return failures.sum();
  }
}
