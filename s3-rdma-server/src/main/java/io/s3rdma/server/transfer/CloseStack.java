package io.s3rdma.server.transfer;

import java.util.ArrayDeque;
import java.util.Deque;

/** What a half-built object owns; closed last first when building fails. Not thread-safe. */
final class CloseStack {
  private final Deque<AutoCloseable> owned = new ArrayDeque<>();

  <T extends AutoCloseable> T add(T resource) {
    owned.push(resource);
    return resource;
  }

  void close() {
    while (!owned.isEmpty()) {
      try {
        owned.pop().close();
      } catch (Exception e) {
        // The failure that brought us here is the one to report.
        org.slf4j.LoggerFactory.getLogger(CloseStack.class)
            .warn("while undoing a failed start: {}", e.getMessage());
      }
    }
  }
}
