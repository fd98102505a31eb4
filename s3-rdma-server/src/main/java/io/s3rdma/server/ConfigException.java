package io.s3rdma.server;

import java.io.Serial;

/** The configuration cannot be used; the message says which key and what to do. */
public final class ConfigException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  ConfigException(String message) {
    super(message);
  }

  ConfigException(String message, Throwable cause) {
    super(message, cause);
  }
}
