package io.s3rdma.client.cli;

/** The command line or a setting is wrong in a way that only shows while the command runs. */
final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UsageException(String message) {
    super(message);
  }
}
