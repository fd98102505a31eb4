package io.s3rdma.server.s3;

import io.s3rdma.server.document.CorsRules;
import io.s3rdma.server.document.EncryptionDocument;
import io.s3rdma.server.document.LifecycleDocument;
import io.s3rdma.server.document.LifecycleRules;
import io.s3rdma.server.document.Tags;
import io.s3rdma.server.http.Router;
import io.s3rdma.server.http.Router.Level;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.store.ObjectStore;
import java.util.function.Function;

/** Which S3 operations there are. */
public final class S3Routes {
  private S3Routes() {}

  /** Registers everything but what reads and writes objects, which is in flow. */
  public static Router.Builder register(
      Router.Builder router,
      ObjectStore store,
      String region,
      Function<Exception, S3Exception> refusals) {
    BucketOperations buckets = new BucketOperations(store, region);
    ListOperations lists = new ListOperations(store);
    DeleteOperations deletes = new DeleteOperations(store, refusals);
    VersionListOperations versions = new VersionListOperations(store);
    registerSettings(router, store);
    registerPolicy(router, new PolicyOperations(store));
    UploadListOperations uploads = new UploadListOperations(store);
    return router
        .route("GET", Level.BUCKET, "versions", versions::list)
        .route("GET", Level.BUCKET, "uploads", uploads::uploads)
        .route("GET", Level.OBJECT, "uploadId", uploads::parts)
        .route("GET", Level.SERVICE, "", buckets::list)
        .route("PUT", Level.BUCKET, "", buckets::create)
        .route("HEAD", Level.BUCKET, "", buckets::head)
        .route("DELETE", Level.BUCKET, "", buckets::delete)
        .route("GET", Level.BUCKET, "location", buckets::location)
        .route("GET", Level.BUCKET, "", lists::list)
        .route("POST", Level.BUCKET, "delete", deletes::deleteMany)
        .route("DELETE", Level.OBJECT, "", deletes::deleteOne)
        .route("DELETE", Level.OBJECT, "versionId", deletes::deleteOne);
  }

  private static void registerSettings(Router.Builder router, ObjectStore store) {
    VersioningOperations versioning = new VersioningOperations(store);
    AclOperations acls = new AclOperations(store);
    ObjectTagOperations tags = new ObjectTagOperations(store);
    router
        .route("GET", Level.BUCKET, "versioning", versioning::get)
        .route("PUT", Level.BUCKET, "versioning", versioning::put)
        .route("GET", Level.BUCKET, "acl", acls::getBucket)
        .route("PUT", Level.BUCKET, "acl", acls::putBucket)
        .route("GET", Level.OBJECT, "acl", acls::getObject)
        .route("PUT", Level.OBJECT, "acl", acls::putObject)
        .route("GET", Level.OBJECT, "tagging", tags::get)
        .route("PUT", Level.OBJECT, "tagging", tags::put)
        .route("DELETE", Level.OBJECT, "tagging", tags::delete);
    register(
        router,
        "tagging",
        new SettingOperations(
            store,
            "tagging",
            document -> Tags.toDocument(Tags.ofDocument(document, Tags.BUCKET_TAGS_MAX)),
            S3ErrorCode.NO_SUCH_TAG_SET));
    register(
        router,
        "cors",
        new SettingOperations(
            store, CorsRules.SETTING, CorsRules::toKeep, S3ErrorCode.NO_SUCH_CORS_CONFIGURATION));
    register(
        router,
        EncryptionDocument.SETTING,
        new SettingOperations(
            store,
            EncryptionDocument.SETTING,
            EncryptionDocument::toKeep,
            S3ErrorCode.NO_SUCH_ENCRYPTION_CONFIGURATION));
    register(
        router,
        "lifecycle",
        new SettingOperations(
            store,
            LifecycleRules.SETTING,
            LifecycleDocument::toKeep,
            S3ErrorCode.NO_SUCH_LIFECYCLE_CONFIGURATION));
  }

  private static void registerPolicy(Router.Builder router, PolicyOperations policies) {
    router
        .route("GET", Level.BUCKET, "policy", policies::get)
        .route("PUT", Level.BUCKET, "policy", policies::put)
        .route("DELETE", Level.BUCKET, "policy", policies::delete)
        .route("GET", Level.BUCKET, "policyStatus", policies::status);
  }

  private static void register(
      Router.Builder router, String subresource, SettingOperations setting) {
    router
        .route("GET", Level.BUCKET, subresource, setting::get)
        .route("PUT", Level.BUCKET, subresource, setting::put)
        .route("DELETE", Level.BUCKET, subresource, setting::delete);
  }
}
