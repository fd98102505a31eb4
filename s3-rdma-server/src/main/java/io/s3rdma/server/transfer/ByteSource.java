package io.s3rdma.server.transfer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Where a GET's bytes come from. Called by one thread, in ascending order of position. */
@FunctionalInterface
public interface ByteSource {
  /** Fills the buffer from the position, or fails: short is a failure (P-4.5). */
  void readFully(long position, ByteBuffer target) throws IOException;

  /** What the bytes are, if they may be kept for later transfers; then not all are asked for. */
  default Optional<SourceName> name() {
    return Optional.empty();
  }
}
