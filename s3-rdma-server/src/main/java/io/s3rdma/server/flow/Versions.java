package io.s3rdma.server.flow;

import io.s3rdma.server.document.LifecycleRules;
import io.s3rdma.server.http.Headers;
import io.s3rdma.server.http.HttpDates;
import io.s3rdma.server.http.HttpNames;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.store.BucketMeta;
import io.s3rdma.server.store.BucketMeta.Versioning;
import io.s3rdma.server.store.ObjectMeta;
import io.s3rdma.server.store.ObjectRef;
import io.s3rdma.server.store.ObjectStore;
import io.s3rdma.server.store.StoreException;
import io.s3rdma.server.store.StoredObject;
import java.io.IOException;
import java.util.Optional;

/** Which version a request names, and what an answer says of it. */
final class Versions {
  static final String QUERY = "versionId";

  private Versions() {}

  /** The version that the query names, or the current one. */
  static ObjectRef named(S3Request request) {
    Optional<String> id = request.query(QUERY);
    if (id.isPresent() && id.get().isEmpty()) {
      throw new S3Exception(S3ErrorCode.INVALID_ARGUMENT, QUERY + " must not be empty")
          .withDetail("ArgumentName", QUERY);
    }
    return new ObjectRef(request.bucket(), request.key(), id.orElse(""));
  }

  /** For reading; what cannot be read is refused as S3 does it. */
  static StoredObject open(ObjectStore store, S3Request request, ObjectRef ref) throws IOException {
    StoredObject opened;
    try {
      opened = store.open(ref);
    } catch (StoreException e) {
      throw refusal(e, ref);
    }
    try {
      confirm(request, opened.meta());
      return opened;
    } catch (IOException | RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  /** What was allowed by labels of the object must follow from those that were found. */
  private static void confirm(S3Request request, ObjectMeta found) throws IOException {
    request.access().confirm(found.bucket(), found.key(), found.acl(), found.tags());
  }

  /** The same without the bytes. */
  static ObjectMeta find(ObjectStore store, S3Request request, ObjectRef ref) throws IOException {
    ObjectMeta found =
        store
            .find(ref)
            .orElseThrow(
                () -> ref.isCurrent() ? noSuchKey() : new S3Exception(S3ErrorCode.NO_SUCH_VERSION));
    if (found.isDeleteMarker()) {
      throw deleted(found, ref);
    }
    confirm(request, found);
    return found;
  }

  private static RuntimeException refusal(StoreException cause, ObjectRef ref)
      throws StoreException {
    return switch (cause.reason()) {
      case NO_SUCH_KEY -> noSuchKey();
      case NO_SUCH_VERSION -> new S3Exception(S3ErrorCode.NO_SUCH_VERSION);
      case DELETE_MARKER -> deleted(cause.marker().orElseThrow(), ref);
      default -> throw cause;
    };
  }

  private static S3Exception noSuchKey() {
    return new S3Exception(S3ErrorCode.NO_SUCH_KEY)
        .withHeader(HttpNames.AMZ_DELETE_MARKER, "false");
  }

  /** A delete marker hides the key; one that is asked for by its name has nothing to read. */
  private static S3Exception deleted(ObjectMeta marker, ObjectRef ref) {
    S3Exception refusal =
        ref.isCurrent()
            ? new S3Exception(S3ErrorCode.NO_SUCH_KEY)
            : new S3Exception(
                    S3ErrorCode.METHOD_NOT_ALLOWED, "the version that you named is a delete marker")
                .withHeader("allow", "DELETE")
                .withHeader(HttpNames.LAST_MODIFIED, HttpDates.format(marker.lastModified()));
    return refusal
        .withHeader(HttpNames.AMZ_DELETE_MARKER, "true")
        .withHeader(HttpNames.AMZ_VERSION_ID, marker.versionId());
  }

  /** What a read of the named version says of it beside its own headers. */
  static Headers statedOnRead(ObjectStore store, ObjectMeta meta, ObjectRef named)
      throws IOException {
    Headers.Builder headers = Headers.builder();
    idOnRead(store, meta).ifPresent(id -> headers.add(HttpNames.AMZ_VERSION_ID, id));
    if (named.isCurrent()) {
      expiration(store, meta).ifPresent(when -> headers.add(LifecycleRules.HEADER, when));
    }
    return headers.build();
  }

  /** The id of each version, once the bucket has had versions. */
  static Optional<String> idOnRead(ObjectStore store, ObjectMeta meta) throws IOException {
    return versioning(store, meta.bucket()) == Versioning.OFF
        ? Optional.empty()
        : Optional.of(meta.versionId());
  }

  /** What a write says: the id of the version it made; none while versioning is suspended. */
  static Headers statedOnWrite(ObjectStore store, ObjectMeta meta) throws IOException {
    Headers.Builder headers = Headers.builder();
    if (versioning(store, meta.bucket()) == Versioning.ENABLED) {
      headers.add(HttpNames.AMZ_VERSION_ID, meta.versionId());
    }
    expiration(store, meta).ifPresent(when -> headers.add(LifecycleRules.HEADER, when));
    return headers.build();
  }

  private static Optional<String> expiration(ObjectStore store, ObjectMeta meta)
      throws IOException {
    return store
        .bucket(meta.bucket())
        .flatMap(LifecycleRules::of)
        .flatMap(rules -> rules.expirationOf(meta));
  }

  private static Versioning versioning(ObjectStore store, String bucket) throws IOException {
    return store.bucket(bucket).map(BucketMeta::versioning).orElse(Versioning.OFF);
  }
}
