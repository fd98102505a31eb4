package io.s3rdma.server.flow;

import java.nio.ByteBuffer;

/**
 * A buffer for bytes on their way, one a thread of the bounded operation pool; direct, so that file
 * reads and writes do not copy. Its user is done with it before the thread does anything else.
 */
final class ThreadBuffer {
  private static final int BYTES = 256 * 1024;
  private static final ThreadLocal<ByteBuffer> BUFFER =
      ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(BYTES));

  private ThreadBuffer() {}

  static ByteBuffer cleared() {
    return BUFFER.get().clear();
  }
}
