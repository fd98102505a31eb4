package io.s3rdma.server;

import io.s3rdma.server.http.HttpNames;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.store.ObjectMeta;
import io.s3rdma.server.store.StoreException;

/** What an exception from below means to an S3 client; the one place where the two meet. */
final class Refusals {
  private Refusals() {}

  static S3Exception of(Exception cause) {
    if (!(cause instanceof StoreException store)) {
      return new S3Exception(S3ErrorCode.INTERNAL_ERROR, S3ErrorCode.INTERNAL_ERROR.text(), cause);
    }
    S3Exception refusal = new S3Exception(codeOf(store), textOf(store), store);
    return store.marker().isPresent() ? marked(refusal, store.marker().get()) : refusal;
  }

  /** S3 says with the refusal that it is a delete marker, and which. */
  private static S3Exception marked(S3Exception refusal, ObjectMeta marker) {
    return refusal
        .withHeader(HttpNames.AMZ_DELETE_MARKER, "true")
        .withHeader(HttpNames.AMZ_VERSION_ID, marker.versionId());
  }

  private static S3ErrorCode codeOf(StoreException cause) {
    return switch (cause.reason()) {
      case NO_SUCH_BUCKET -> S3ErrorCode.NO_SUCH_BUCKET;
      case NO_SUCH_KEY -> S3ErrorCode.NO_SUCH_KEY;
      case DELETE_MARKER -> S3ErrorCode.NO_SUCH_KEY;
      case NO_SUCH_VERSION -> S3ErrorCode.NO_SUCH_VERSION;
      case NO_SUCH_UPLOAD -> S3ErrorCode.NO_SUCH_UPLOAD;
      case INVALID_PART -> S3ErrorCode.INVALID_PART;
      case INVALID_PART_ORDER -> S3ErrorCode.INVALID_PART_ORDER;
      case PART_TOO_SMALL -> S3ErrorCode.ENTITY_TOO_SMALL;
      case QUOTA_EXCEEDED -> S3ErrorCode.QUOTA_EXCEEDED;
      case BUCKET_NOT_EMPTY -> S3ErrorCode.BUCKET_NOT_EMPTY;
      case PRECONDITION_FAILED -> S3ErrorCode.PRECONDITION_FAILED;
      case WRONG_LENGTH -> S3ErrorCode.INCOMPLETE_BODY;
      case FULL -> S3ErrorCode.INSUFFICIENT_STORAGE;
      case OTHER_KEY -> S3ErrorCode.INVALID_REQUEST;
      case NO_MASTER_KEY -> S3ErrorCode.INTERNAL_ERROR;
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
