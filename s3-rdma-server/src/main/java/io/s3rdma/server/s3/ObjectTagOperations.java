package io.s3rdma.server.s3;

import io.s3rdma.server.document.Tags;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.http.S3Response;
import io.s3rdma.server.store.ObjectMeta;
import io.s3rdma.server.store.ObjectStore;
import java.io.IOException;
import java.util.Map;

/** The tags of an object's version: the current one, unless the request names another. */
final class ObjectTagOperations {
  private static final int XML_BYTES_MAX = 64 * 1024;

  private final ObjectStore store;

  ObjectTagOperations(ObjectStore store) {
    this.store = store;
  }

  S3Response get(S3Request request) throws IOException {
    ObjectMeta meta = VersionedObject.require(store, request);
    VersionedObject.confirm(request, meta);
    String document = Tags.toDocument(meta.tags());
    return VersionedObject.answer(store, meta, S3Response.xml(200, document));
  }

  S3Response put(S3Request request) throws IOException {
    ObjectMeta meta = VersionedObject.require(store, request);
    byte[] document = RequestDocument.read(request, XML_BYTES_MAX);
    Map<String, String> tags = Tags.ofDocument(document, Tags.OBJECT_TAGS_MAX);
    request.access().confirm(request.bucket(), request.key(), meta.acl(), meta.tags(), tags);
    return set(request, tags, 200);
  }

  S3Response delete(S3Request request) throws IOException {
    VersionedObject.confirm(request, VersionedObject.require(store, request));
    return set(request, Map.of(), 204);
  }

  private S3Response set(S3Request request, Map<String, String> tags, int status)
      throws IOException {
    ObjectMeta meta =
        store.updateObject(VersionedObject.ref(request), version -> version.withTags(tags));
    return VersionedObject.answer(store, meta, S3Response.of(status));
  }
}
