package io.s3rdma.server.s3;

import io.s3rdma.server.http.Router;
import io.s3rdma.server.http.Router.Level;
import io.s3rdma.server.store.ObjectStore;

/** Which S3 operations there are. */
public final class S3Routes {
  private S3Routes() {}

  /** Registers everything but GET, HEAD and PUT of an object, which are flows. */
  public static Router.Builder register(Router.Builder router, ObjectStore store, String region) {
    BucketOperations buckets = new BucketOperations(store, region);
    ListOperations lists = new ListOperations(store);
    DeleteOperations deletes = new DeleteOperations(store);
    AclOperations acls = new AclOperations(store);
    return router
        .route("GET", Level.BUCKET, "acl", acls::get)
        .route("PUT", Level.BUCKET, "acl", acls::put)
        .route("GET", Level.OBJECT, "acl", acls::get)
        .route("PUT", Level.OBJECT, "acl", acls::put)
        .route("GET", Level.SERVICE, "", buckets::list)
        .route("PUT", Level.BUCKET, "", buckets::create)
        .route("HEAD", Level.BUCKET, "", buckets::head)
        .route("DELETE", Level.BUCKET, "", buckets::delete)
        .route("GET", Level.BUCKET, "location", buckets::location)
        .route("GET", Level.BUCKET, "", lists::list)
        .route("POST", Level.BUCKET, "delete", deletes::deleteMany)
        .route("DELETE", Level.OBJECT, "", deletes::deleteOne);
  }
}
