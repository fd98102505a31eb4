package io.s3rdma.server.transfer;

/** A transfer or connection request failed; the kind decides the answer (P-6). */
public final class TransferException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What happened. */
  public enum Failure {
    /** Unknown, expired, failed or foreign connection. */
    NO_SUCH_CONNECTION,
    CONNECTION_BUSY,
    /** The peer has not shown, or not rightly, that the endpoint is its own. */
    NOT_PROVEN,
    /** A limit on connections, connects, transfers or those that wait. */
    LIMIT,
    NO_STAGING_MEMORY,
    NO_RAIL,
    /** The rails that could carry it are down for now. */
    RAIL_OUT,
    /** The endpoint's values cannot make a connection. */
    BAD_ENDPOINT,
    DEADLINE,
    /** The HTTP connection closed: nobody waits for an answer. */
    CANCELLED,
    /** The client's key, address, length or right was refused by its own NIC. */
    CLIENT_MEMORY,
    /** The fabric or this server's device failed. */
    FABRIC,
    /** The store failed to give or take bytes; the cause tells. */
    STORE
  }

  private final Failure failure;

  public TransferException(Failure failure, String message) {
    super(message);
    this.failure = failure;
  }

  public TransferException(Failure failure, String message, Throwable cause) {
    super(message, cause);
    this.failure = failure;
  }

  public Failure failure() {
    return failure;
  }
}
