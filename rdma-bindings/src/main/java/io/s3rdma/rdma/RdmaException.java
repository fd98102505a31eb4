package io.s3rdma.rdma;

/**
 * A verbs call or a work request failed. Carries the call, the number and what the caller can do.
 * Unchecked: most callers can only close and report.
 */
public final class RdmaException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What applies after the failure. */
  public enum Advice {
    /** Same request, new connection. */
    RETRY,
    /** Use another way (HTTP, staging). */
    FALL_BACK,
    /** A fault of this process: do not repeat. */
    ABORT
  }

  private final String call;
  private final int errno;
  private final CompletionStatus status;
  private final int queuePairNumber;
  private final Advice advice;

  private RdmaException(
      String message,
      String call,
      int errno,
      CompletionStatus status,
      int queuePairNumber,
      Advice advice) {
    super(message);
    this.call = call;
    this.errno = errno;
    this.status = status;
    this.queuePairNumber = queuePairNumber;
    this.advice = advice;
  }

  static RdmaException ofCall(String call, int errno, String text) {
    return new RdmaException(
        call + " failed with errno " + errno + Errno.suffix(errno) + ": " + text,
        call,
        errno,
        CompletionStatus.SUCCESS,
        0,
        errno == Errno.EINVAL ? Advice.ABORT : Advice.FALL_BACK);
  }

  static RdmaException unavailable(String cause) {
    return new RdmaException(
        "RDMA is not available: " + cause,
        "load",
        Errno.ENODEV,
        CompletionStatus.SUCCESS,
        0,
        Advice.FALL_BACK);
  }

  /** A misuse found before any native call. */
  public static RdmaException misuse(String message) {
    return new RdmaException(
        message, "check", Errno.EINVAL, CompletionStatus.SUCCESS, 0, Advice.ABORT);
  }

  /** A registration that this memory or device cannot have. */
  public static RdmaException unsupported(String message) {
    return new RdmaException(
        message, "check", Errno.EOPNOTSUPP, CompletionStatus.SUCCESS, 0, Advice.FALL_BACK);
  }

  /** A work request completed with an error; the queue pair is dead. */
  public static RdmaException ofCompletion(
      CompletionStatus status, int queuePairNumber, int vendorError) {
    return new RdmaException(
        String.format(
            "work request on QP 0x%x ended with %s (vendor 0x%x): %s",
            queuePairNumber, status, vendorError, status.meaning()),
        "completion",
        0,
        status,
        queuePairNumber,
        status.advice());
  }

  /** The failing native call, "completion" for a failed work request. */
  public String call() {
    return call;
  }

  /** errno of the call, 0 for a failed work request. */
  public int errno() {
    return errno;
  }

  /** Status of the failed work request, SUCCESS if a call failed. */
  public CompletionStatus status() {
    return status;
  }

  /** Number of the queue pair, 0 if none was concerned. */
  public int queuePairNumber() {
    return queuePairNumber;
  }

  /** What the caller can do. */
  public Advice advice() {
    return advice;
  }
}
