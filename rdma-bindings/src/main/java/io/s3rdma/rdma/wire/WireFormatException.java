package io.s3rdma.rdma.wire;

/**
 * A header value that does not have its documented form. The message names the field and the
 * reason, never the value: values may hold keys.
 */
public class WireFormatException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  WireFormatException(String field, String reason) {
    super(field + ": " + reason);
  }

  WireFormatException(String message) {
    super(message);
  }
}
