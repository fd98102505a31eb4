package io.s3rdma.server.s3;

import io.s3rdma.server.http.HttpNames;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.http.S3Response;
import io.s3rdma.server.store.BucketMeta.Versioning;
import io.s3rdma.server.store.ObjectMeta;
import io.s3rdma.server.store.ObjectRef;
import io.s3rdma.server.store.ObjectStore;
import java.io.IOException;

/** The version that a request names, by versionId or as the current one. */
final class VersionedObject {
  private VersionedObject() {}

  static ObjectRef ref(S3Request request) {
    return new ObjectRef(request.bucket(), request.key(), versionId(request));
  }

  /** Empty for the current version. An empty parameter names none, as in S3. */
  static String versionId(S3Request request) {
    String version = request.query("versionId").orElse("");
    if (version.isEmpty() && request.query("versionId").isPresent()) {
      throw new S3Exception(S3ErrorCode.INVALID_ARGUMENT, "versionId must not be empty");
    }
    return version;
  }

  /** A version with bytes; a delete marker is refused as S3 does. */
  static ObjectMeta require(ObjectStore store, S3Request request) throws IOException {
    BucketOperations.require(store, request.bucket());
    ObjectRef ref = ref(request);
    ObjectMeta meta =
        store
            .find(ref)
            .orElseThrow(
                () ->
                    new S3Exception(
                        ref.isCurrent() ? S3ErrorCode.NO_SUCH_KEY : S3ErrorCode.NO_SUCH_VERSION));
    if (meta.isDeleteMarker()) {
      throw new S3Exception(
              ref.isCurrent() ? S3ErrorCode.NO_SUCH_KEY : S3ErrorCode.METHOD_NOT_ALLOWED)
          .withHeader(HttpNames.AMZ_DELETE_MARKER, "true")
          .withHeader(HttpNames.AMZ_VERSION_ID, meta.versionId());
    }
    return meta;
  }

  /** What was allowed by labels of the object must follow from those that were found. */
  static void confirm(S3Request request, ObjectMeta found) throws IOException {
    request.access().confirm(found.bucket(), found.key(), found.acl(), found.tags());
  }

  /** Says which version it was, where the bucket has or had versions. */
  static S3Response answer(ObjectStore store, ObjectMeta meta, S3Response response)
      throws IOException {
    boolean never =
        store
            .bucket(meta.bucket())
            .map(bucket -> bucket.versioning() == Versioning.OFF)
            .orElse(true);
    return never ? response : response.withHeader(HttpNames.AMZ_VERSION_ID, meta.versionId());
  }
}
