package io.s3rdma.rdma;

import io.s3rdma.rdma.RdmaException.Advice;

/** How a work request ended (ibv_wc_status), with who is to blame. */
public enum CompletionStatus {
  SUCCESS(0, Advice.RETRY, "done"),
  LOCAL_LENGTH(1, Advice.ABORT, "message longer than the port or the queue pair allows"),
  LOCAL_QP_OPERATION(2, Advice.ABORT, "the queue pair cannot do this operation"),
  LOCAL_PROTECTION(4, Advice.ABORT, "local key, address or length wrong"),
  FLUSHED(5, Advice.RETRY, "queued behind an error; its bytes may or may not have moved"),
  WINDOW_BIND(6, Advice.ABORT, "memory window could not be bound"),
  LOCAL_ACCESS(8, Advice.ABORT, "local memory refused"),
  REMOTE_INVALID_REQUEST(
      9, Advice.FALL_BACK, "peer refused: READ depth, MTU or operation do not fit"),
  REMOTE_ACCESS(
      10, Advice.FALL_BACK, "peer's key, address, length or right wrong, or already invalidated"),
  REMOTE_OPERATION(11, Advice.FALL_BACK, "peer could not reach its memory"),
  RETRY_EXCEEDED(12, Advice.RETRY, "peer does not answer: gone, or wrong GID, VLAN or route"),
  RNR_RETRY_EXCEEDED(13, Advice.RETRY, "peer has no receive posted"),
  FATAL(19, Advice.FALL_BACK, "device failed"),
  GENERAL(21, Advice.FALL_BACK, "device reports a general error"),
  OTHER(31, Advice.FALL_BACK, "unexpected completion status");

  private static final CompletionStatus[] BY_CODE = new CompletionStatus[32];

  static {
    for (CompletionStatus status : values()) {
      BY_CODE[status.code] = status;
    }
  }

  private final int code;
  private final Advice advice;
  private final String meaning;

  CompletionStatus(int code, Advice advice, String meaning) {
    this.code = code;
    this.advice = advice;
    this.meaning = meaning;
  }

  /** Never null; allocation free. */
  public static CompletionStatus of(int code) {
    CompletionStatus status = code >= 0 && code < BY_CODE.length ? BY_CODE[code] : null;
    return status == null ? OTHER : status;
  }

  /** The number of ibv_wc_status; 31 for {@link #OTHER}. */
  public int code() {
    return code;
  }

  /** True if the peer's own memory or key is at fault, not the fabric and not this process. */
  public boolean isPeerMemoryFault() {
    return this == REMOTE_ACCESS || this == REMOTE_INVALID_REQUEST;
  }

  Advice advice() {
    return advice;
  }

  /** One line for messages. */
  public String meaning() {
    return meaning;
  }
}
