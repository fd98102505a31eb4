package io.s3rdma.client.cli;

/** RDMA is required and the command itself cannot use it. The message has the next step. */
final class NoRdmaException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NoRdmaException(String message) {
    super(message);
  }
}
