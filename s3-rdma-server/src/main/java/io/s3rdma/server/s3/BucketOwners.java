package io.s3rdma.server.s3;

import io.s3rdma.server.document.CannedAcl;
import io.s3rdma.server.document.PolicyDocument;
import io.s3rdma.server.document.Tags;
import io.s3rdma.server.http.AccessPolicy;
import io.s3rdma.server.http.ObjectLabels;
import io.s3rdma.server.policy.BucketPolicy;
import io.s3rdma.server.store.BucketMeta;
import io.s3rdma.server.store.ObjectRef;
import io.s3rdma.server.store.ObjectStore;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * Whose a bucket is, what its policy says, and what its ACL and those of its objects open, by the
 * store's records.
 */
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
  public BucketPolicy policyOf(String bucket) throws IOException {
    Optional<BucketMeta> found = store.bucket(bucket);
    return found.isPresent() ? PolicyDocument.of(found.get()) : BucketPolicy.NONE;
  }

  @Override
  public boolean bindsRoot(String bucket) throws IOException {
    return store.bucket(bucket).flatMap(b -> b.setting(PolicyDocument.BINDS_ROOT)).isPresent();
  }

  @Override
  public String acl(String bucket) throws IOException {
    return store.bucket(bucket).flatMap(found -> found.setting(CannedAcl.SETTING)).orElse(PRIVATE);
  }

  @Override
  public Optional<ObjectLabels> labels(String bucket, String key, String versionId)
      throws IOException {
    // Empty also where the bucket went meanwhile, which the operation tells.
    return store.bucket(bucket).isEmpty()
        ? Optional.empty()
        : store
            .find(new ObjectRef(bucket, key, versionId))
            .filter(meta -> !meta.isDeleteMarker())
            .map(meta -> new ObjectLabels(meta.acl(), meta.tags()));
  }

  @Override
  public Map<String, String> tags(String header) {
    return Tags.ofHeader(header);
  }
}
