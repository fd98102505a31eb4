package io.s3rdma.server.store;

import java.io.IOException;
import java.io.Serial;

/** A store's refusal with its reason; whoever answers a client gives it a code. */
public final class StoreException extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  /** Why. */
  public enum Reason {
    NO_SUCH_BUCKET,
    NO_SUCH_KEY,
    BUCKET_NOT_EMPTY,
    PRECONDITION_FAILED,
    /** Fewer or more bytes than announced; nothing was stored. */
    WRONG_LENGTH,
    /** No space; nothing was stored and nothing lost. */
    FULL,
    /** Metadata and data disagree. */
    DAMAGED
  }

  private final Reason reason;

  public StoreException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  public StoreException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
