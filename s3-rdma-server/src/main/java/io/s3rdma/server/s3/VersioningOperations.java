package io.s3rdma.server.s3;

import io.s3rdma.server.document.VersioningDocument;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.http.S3Response;
import io.s3rdma.server.store.BucketMeta;
import io.s3rdma.server.store.BucketMeta.Versioning;
import io.s3rdma.server.store.ObjectStore;
import java.io.IOException;

/** Whether a bucket keeps versions. */
final class VersioningOperations {
  private static final int XML_BYTES_MAX = 64 * 1024;
  private static final String MFA = "x-amz-mfa";

  private final ObjectStore store;

  VersioningOperations(ObjectStore store) {
    this.store = store;
  }

  S3Response get(S3Request request) throws IOException {
    BucketMeta bucket = BucketOperations.require(store, request.bucket());
    return S3Response.xml(200, VersioningDocument.toDocument(bucket.versioning()));
  }

  S3Response put(S3Request request) throws IOException {
    if (request.headers().contains(MFA)) {
      throw new S3Exception(S3ErrorCode.NOT_IMPLEMENTED, MFA);
    }
    BucketOperations.require(store, request.bucket());
    Versioning wanted = VersioningDocument.parse(RequestDocument.read(request, XML_BYTES_MAX));
    store.updateBucket(request.bucket(), bucket -> bucket.withVersioning(wanted));
    return S3Response.of(200);
  }
}
