package io.s3rdma.server.store;

import java.io.IOException;
import java.io.Serial;
import java.util.Optional;

/** A store's refusal with its reason; whoever answers a client gives it a code. */
public final class StoreException extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  /** Why. */
  public enum Reason {
    NO_SUCH_BUCKET,
    NO_SUCH_KEY,
    NO_SUCH_VERSION,
    NO_SUCH_UPLOAD,
    /** A part that was claimed is missing or has another ETag. */
    INVALID_PART,
    /** Parts are not in ascending order. */
    INVALID_PART_ORDER,
    /** A part that is not the last is smaller than allowed. */
    PART_TOO_SMALL,
    /** What is there is a delete marker; the exception has it. */
    DELETE_MARKER,
    BUCKET_NOT_EMPTY,
    PRECONDITION_FAILED,
    /** Fewer or more bytes than announced; nothing was stored. */
    WRONG_LENGTH,
    /** No space; nothing was stored and nothing lost. */
    FULL,
    /** The bucket's space limit; nothing was stored. */
    QUOTA_EXCEEDED,
    /** The bytes are encrypted with a customer's key, and that key was not given. */
    OTHER_KEY,
    /** The bytes are encrypted with a master key that is not here. */
    NO_MASTER_KEY,
    /** Metadata and data disagree. */
    DAMAGED
  }

  private final Reason reason;
  private final transient ObjectMeta marker;

  public StoreException(Reason reason, String message) {
    super(message);
    this.reason = reason;
    this.marker = null;
  }

  public StoreException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
    this.marker = null;
  }

  /** {@code marker} is what was found instead of an object. */
  StoreException(ObjectMeta marker) {
    super(marker.ref() + " is a delete marker");
    this.reason = Reason.DELETE_MARKER;
    this.marker = marker;
  }

  /** For {@link Reason#DELETE_MARKER}. */
  public Optional<ObjectMeta> marker() {
    return Optional.ofNullable(marker);
  }

  public Reason reason() {
    return reason;
  }
}
