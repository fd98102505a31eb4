package io.s3rdma.client;

/**
 * Policy REQUIRE and RDMA could not carry the request. The message is the cause and the next step.
 */
public final class RdmaRequiredException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RdmaRequiredException(String message, Throwable cause) {
    super(message, cause);
  }
}
