package io.s3rdma.server.transfer;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Where a PUT's bytes go. Called by one thread, in order. The buffer is valid only during the call.
 */
@FunctionalInterface
public interface ByteSink {
  void write(ByteBuffer bytes) throws IOException;
}
