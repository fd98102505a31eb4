package io.s3rdma.server.s3;

import io.s3rdma.server.document.PolicyDocument;
import io.s3rdma.server.http.HttpNames;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.http.S3Response;
import io.s3rdma.server.http.Xml;
import io.s3rdma.server.store.BucketMeta;
import io.s3rdma.server.store.ObjectStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** A bucket's policy: put, get, delete, and whether it lets anybody in. */
final class PolicyOperations {
  private final ObjectStore store;

  PolicyOperations(ObjectStore store) {
    this.store = store;
  }

  S3Response get(S3Request request) throws IOException {
    BucketMeta bucket = policed(request);
    return S3Response.of(200)
        .withHeader(HttpNames.CONTENT_TYPE, "application/json")
        .withBytes(
            bucket.setting(PolicyDocument.SETTING).orElseThrow().getBytes(StandardCharsets.UTF_8));
  }

  S3Response status(S3Request request) throws IOException {
    boolean open = PolicyDocument.of(policed(request)).isPublic();
    return S3Response.xml(200, Xml.document("PolicyStatus").text("IsPublic", open).finish());
  }

  S3Response put(S3Request request) throws IOException {
    BucketOperations.require(store, request.bucket());
    requireOwner(request);
    byte[] document =
        RequestDocument.read(request, PolicyDocument.BYTES_MAX, S3ErrorCode.MALFORMED_POLICY);
    String kept = PolicyDocument.toKeep(document, request.bucket());
    boolean confirmed =
        request
            .header(HttpNames.AMZ_CONFIRM_REMOVE_SELF_BUCKET_ACCESS)
            .map("true"::equalsIgnoreCase)
            .orElse(false);
    set(request, kept, confirmed ? "true" : null);
    return S3Response.of(204);
  }

  S3Response delete(S3Request request) throws IOException {
    BucketOperations.require(store, request.bucket());
    requireOwner(request);
    set(request, null, null);
    return S3Response.of(204);
  }

  private void set(S3Request request, String policy, String bindsRoot) throws IOException {
    store.updateBucket(
        request.bucket(),
        bucket ->
            bucket
                .withSetting(PolicyDocument.SETTING, policy)
                .withSetting(PolicyDocument.BINDS_ROOT, bindsRoot));
  }

  private BucketMeta policed(S3Request request) throws IOException {
    BucketMeta bucket = BucketOperations.require(store, request.bucket());
    if (bucket.setting(PolicyDocument.SETTING).isEmpty()) {
      throw new S3Exception(S3ErrorCode.NO_SUCH_BUCKET_POLICY)
          .withDetail("BucketName", request.bucket());
    }
    return bucket;
  }

  /** A policy cannot give itself away. */
  private static void requireOwner(S3Request request) throws IOException {
    if (!request.access().isOwner(request.bucket())) {
      throw new S3Exception(
          S3ErrorCode.METHOD_NOT_ALLOWED, "only the bucket's own account changes its policy");
    }
  }
}
