package io.s3rdma.server.flow;

import io.s3rdma.server.encryption.Protection;
import io.s3rdma.server.http.ChecksumVerifier;
import io.s3rdma.server.http.Headers;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.http.S3Response;
import io.s3rdma.server.store.NewObject;
import io.s3rdma.server.store.ObjectMeta;
import io.s3rdma.server.store.ObjectStore;
import io.s3rdma.server.store.ObjectWriter;
import io.s3rdma.server.store.Preconditions;
import java.io.IOException;

/** PutObject. */
final class PutFlow {
  private final ObjectStore store;
  private final Encryption encryption;
  private final Intake intake;

  PutFlow(ObjectStore store, Encryption encryption, Intake intake) {
    this.store = store;
    this.encryption = encryption;
    this.intake = intake;
  }

  S3Response handle(S3Request request) throws IOException {
    Unsupported.refuse(request);
    Preconditions preconditions = NewObjects.preconditions(request);
    NewObject object = NewObjects.of(request);
    Protection protection = encryption.wanted(request);
    ChecksumVerifier checksum = ChecksumVerifier.forRequest(request.headers());
    checkBeforeBody(request, preconditions);
    return intake.<ObjectWriter>take(
        request,
        checksum,
        (length, etag) -> store.create(object, length, etag, protection),
        (writer, sums) -> {
          ObjectMeta meta = writer.commit(preconditions, sums);
          Headers stated = Versions.statedOnWrite(store, meta);
          return ObjectHeaders.stored(
              meta, Encryption.stated(stated, meta.sealedKey(), request.headers()));
        });
  }

  /** Spares a body that cannot be stored. What counts is decided again at the commit. */
  private void checkBeforeBody(S3Request request, Preconditions preconditions) throws IOException {
    if (preconditions.isEmpty()) {
      if (store.bucket(request.bucket()).isEmpty()) {
        throw new S3Exception(S3ErrorCode.NO_SUCH_BUCKET);
      }
    } else {
      preconditions.check(store.head(request.bucket(), request.key()));
    }
  }
}
