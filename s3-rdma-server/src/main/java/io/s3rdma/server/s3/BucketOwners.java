package io.s3rdma.server.s3;

import io.s3rdma.server.http.AccessPolicy;
import io.s3rdma.server.store.BucketMeta;
import io.s3rdma.server.store.ObjectStore;
import java.io.IOException;
import java.util.Optional;

/** Whose a bucket is, by its record in the store. */
public final class BucketOwners implements AccessPolicy {
  private final ObjectStore store;

  public BucketOwners(ObjectStore store) {
    this.store = store;
  }

  @Override
  public Optional<String> ownerOf(String bucket) throws IOException {
    return store.bucket(bucket).map(BucketMeta::owner);
  }
}
