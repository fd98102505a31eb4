package io.s3rdma.server.s3;

import io.s3rdma.server.document.AclDocument;
import io.s3rdma.server.document.CannedAcl;
import io.s3rdma.server.http.Account;
import io.s3rdma.server.http.HttpNames;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.http.S3Response;
import io.s3rdma.server.store.BucketMeta;
import io.s3rdma.server.store.ObjectMeta;
import io.s3rdma.server.store.ObjectStore;
import java.io.IOException;

/**
 * Access lists with a name, of buckets and of objects' versions. The bucket's owner may do all;
 * whether a list opens anything to others is the configuration's ({@code auth.allow-anonymous}).
 */
final class AclOperations {
  private static final int XML_BYTES_MAX = 64 * 1024;

  private final ObjectStore store;

  AclOperations(ObjectStore store) {
    this.store = store;
  }

  S3Response getBucket(S3Request request) throws IOException {
    BucketMeta bucket = BucketOperations.require(store, request.bucket());
    String acl = bucket.setting(CannedAcl.SETTING).orElse("");
    return S3Response.xml(200, document(request, acl));
  }

  S3Response putBucket(S3Request request) throws IOException {
    BucketOperations.require(store, request.bucket());
    CannedAcl acl = wanted(request);
    store.updateBucket(request.bucket(), bucket -> withAcl(bucket, acl));
    return S3Response.of(200);
  }

  S3Response getObject(S3Request request) throws IOException {
    ObjectMeta meta = VersionedObject.require(store, request);
    VersionedObject.confirm(request, meta);
    return VersionedObject.answer(store, meta, S3Response.xml(200, document(request, meta.acl())));
  }

  S3Response putObject(S3Request request) throws IOException {
    VersionedObject.confirm(request, VersionedObject.require(store, request));
    CannedAcl acl = wanted(request);
    ObjectMeta meta =
        store.updateObject(VersionedObject.ref(request), version -> version.withAcl(acl.stored()));
    return VersionedObject.answer(store, meta, S3Response.of(200));
  }

  static BucketMeta withAcl(BucketMeta bucket, CannedAcl acl) {
    return bucket.withSetting(CannedAcl.SETTING, acl == CannedAcl.PRIVATE ? null : acl.stored());
  }

  private static String document(S3Request request, String stored) throws IOException {
    Account owner = request.access().ownerOf(request.bucket());
    return AclDocument.toDocument(CannedAcl.ofStored(stored), owner.id(), owner.displayName());
  }

  /** By header or by document, not by both. */
  private static CannedAcl wanted(S3Request request) throws IOException {
    CannedAcl byHeader = CannedAcl.ofHeaders(request.headers());
    byte[] document = RequestDocument.read(request, XML_BYTES_MAX);
    if (request.headers().contains(HttpNames.AMZ_ACL)) {
      if (document.length > 0) {
        throw new S3Exception(
            S3ErrorCode.INVALID_REQUEST, "give an ACL by x-amz-acl or by a document, not by both");
      }
      return byHeader;
    }
    if (document.length == 0) {
      throw new S3Exception(
          S3ErrorCode.MISSING_SECURITY_HEADER, "give an ACL by x-amz-acl or by a document");
    }
    return AclDocument.parse(document, request.access().ownerOf(request.bucket()).id());
  }
}
