package io.s3rdma.client.transport;

/**
 * RDMA cannot be used for a request now; the message is the cause that a result or exception
 * states.
 */
public final class TransportException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public TransportException(String message) {
    super(message);
  }

  public TransportException(String message, Throwable cause) {
    super(message, cause);
  }
}
