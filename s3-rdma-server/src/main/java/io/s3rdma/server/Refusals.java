package io.s3rdma.server;

import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.store.StoreException;

/** What an exception from below means to an S3 client; the one place where the two meet. */
final class Refusals {
  private Refusals() {}

  static S3Exception of(Exception cause) {
    return cause instanceof StoreException store
        ? new S3Exception(codeOf(store), textOf(store), store)
        : new S3Exception(S3ErrorCode.INTERNAL_ERROR, S3ErrorCode.INTERNAL_ERROR.text(), cause);
  }

  private static S3ErrorCode codeOf(StoreException cause) {
    return switch (cause.reason()) {
      case NO_SUCH_BUCKET -> S3ErrorCode.NO_SUCH_BUCKET;
      case NO_SUCH_KEY -> S3ErrorCode.NO_SUCH_KEY;
      case BUCKET_NOT_EMPTY -> S3ErrorCode.BUCKET_NOT_EMPTY;
      case PRECONDITION_FAILED -> S3ErrorCode.PRECONDITION_FAILED;
      case WRONG_LENGTH -> S3ErrorCode.INCOMPLETE_BODY;
      case FULL -> S3ErrorCode.INSUFFICIENT_STORAGE;
      case DAMAGED -> S3ErrorCode.INTERNAL_ERROR;
    };
  }

  /** A damage is for the log; a client must not read our paths. */
  private static String textOf(StoreException cause) {
    return switch (cause.reason()) {
      case DAMAGED, FULL -> codeOf(cause).text();
      default -> cause.getMessage();
    };
  }
}
