package io.s3rdma.server.flow;

import io.s3rdma.server.http.CopySourceName;
import io.s3rdma.server.http.HttpNames;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.store.ObjectRef;
import java.io.IOException;
import java.util.Optional;

/** What a copy reads. */
final class CopySource {
  private CopySource() {}

  static ObjectRef of(S3Request request) {
    CopySourceName name = CopySourceName.of(request.header(HttpNames.AMZ_COPY_SOURCE).orElse(""));
    return new ObjectRef(name.bucket(), name.key(), name.versionId());
  }

  /** The same, which the signer may read, in a bucket of whom the request expects it to be. */
  static ObjectRef readable(S3Request request) throws IOException {
    ObjectRef source = of(request);
    request.requireRead(source.bucket(), source.key(), source.versionId());
    Optional<String> owner = request.header(HttpNames.AMZ_SOURCE_EXPECTED_BUCKET_OWNER);
    if (owner.isPresent()) {
      request.access().requireOwner(source.bucket(), owner.get());
    }
    return source;
  }
}
