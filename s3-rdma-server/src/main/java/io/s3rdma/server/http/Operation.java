package io.s3rdma.server.http;

import java.io.IOException;

/** One S3 operation. Runs on an {@code s3-op-N} thread and may block. */
@FunctionalInterface
public interface Operation {
  S3Response handle(S3Request request) throws IOException;

  /**
   * Whether a request without any signature may come this far; the operation then judges it by
   * itself. One with a signature is verified all the same.
   */
  default boolean allowsAnonymous() {
    return false;
  }
}
