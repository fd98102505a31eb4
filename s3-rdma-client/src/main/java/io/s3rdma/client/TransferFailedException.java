package io.s3rdma.client;

/**
 * The server's answer does not show that the bytes are where they should be: treat the buffer (GET)
 * or the object (PUT) as not transferred. The buffer was fenced.
 */
public final class TransferFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TransferFailedException(String message) {
    super(message);
  }

  TransferFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
