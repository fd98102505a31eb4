package io.s3rdma.server.flow;

import io.s3rdma.server.document.CannedAcl;
import io.s3rdma.server.document.Tags;
import io.s3rdma.server.http.HttpNames;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.store.NewObject;
import io.s3rdma.server.store.Preconditions;
import java.util.Map;

/** What a request says of the object that it makes. */
final class NewObjects {
  private NewObjects() {}

  static NewObject of(S3Request request) {
    return of(request, ObjectHeaders.toKeep(request.headers()), tags(request));
  }

  /** The same with attributes and tags from elsewhere: those of a copy's source. */
  static NewObject of(S3Request request, Map<String, String> attributes, Map<String, String> tags) {
    String acl = CannedAcl.ofHeaders(request.headers()).stored();
    return new NewObject(request.bucket(), request.key(), attributes, tags, acl);
  }

  static Map<String, String> tags(S3Request request) {
    return Tags.ofHeader(request.header(Tags.HEADER).orElse(""));
  }

  /** On what the commit replaces. */
  static Preconditions preconditions(S3Request request) {
    return new Preconditions(
        ETags.parse(request, HttpNames.IF_MATCH), ETags.parse(request, HttpNames.IF_NONE_MATCH));
  }
}
