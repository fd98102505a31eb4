package io.s3rdma.server.s3;

import io.s3rdma.server.document.CannedAcl;
import io.s3rdma.server.http.AccessPolicy;
import io.s3rdma.server.store.BucketMeta;
import io.s3rdma.server.store.ObjectMeta;
import io.s3rdma.server.store.ObjectStore;
import java.io.IOException;
import java.util.Optional;

/** Whose a bucket is, and what its ACL and those of its objects open, by the store's records. */
public final class BucketOwners implements AccessPolicy {
  private final ObjectStore store;

  public BucketOwners(ObjectStore store) {
    this.store = store;
  }

  @Override
  public Optional<String> ownerOf(String bucket) throws IOException {
    return store.bucket(bucket).map(BucketMeta::owner);
  }

  @Override
  public String acl(String bucket) throws IOException {
    return store.bucket(bucket).flatMap(found -> found.setting(CannedAcl.SETTING)).orElse(PRIVATE);
  }

  @Override
  public Optional<String> acl(String bucket, String key) throws IOException {
    return store.head(bucket, key).map(ObjectMeta::acl);
  }
}
