package io.s3rdma.server.http;

import java.io.IOException;
import java.io.Serial;

/** The body's transfer coding cannot be read. */
final class BadFramingException extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  BadFramingException(Throwable cause) {
    super("the body's transfer coding is broken", cause);
  }
}
