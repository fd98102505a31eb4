package io.s3rdma.server.s3;

import io.s3rdma.server.http.Account;
import io.s3rdma.server.http.HttpNames;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.http.S3Response;
import io.s3rdma.server.http.Xml;
import io.s3rdma.server.store.ObjectStore;
import java.io.IOException;

/** Everything in a bucket is its account's, so the one access list is "private". */
final class AclOperations {
  private static final String GRANTEE =
      "Grantee xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:type=\"CanonicalUser\"";

  private final ObjectStore store;

  AclOperations(ObjectStore store) {
    this.store = store;
  }

  S3Response get(S3Request request) throws IOException {
    requireTarget(request);
    Xml xml = Xml.document("AccessControlPolicy");
    Account owner = request.access().ownerOf(request.bucket());
    Owner.write(xml, owner);
    xml.start("AccessControlList").start("Grant").start("Grantee", GRANTEE);
    Owner.writeNames(xml, owner);
    return S3Response.xml(200, xml.end().text("Permission", "FULL_CONTROL").finish());
  }

  S3Response put(S3Request request) throws IOException {
    requireTarget(request);
    if (!request.header(HttpNames.AMZ_ACL).map("private"::equals).orElse(false)) {
      throw new S3Exception(S3ErrorCode.NOT_IMPLEMENTED, "only x-amz-acl: private is supported");
    }
    return S3Response.of(200);
  }

  private void requireTarget(S3Request request) throws IOException {
    if (request.key().isEmpty() && store.bucket(request.bucket()).isEmpty()) {
      throw new S3Exception(S3ErrorCode.NO_SUCH_BUCKET);
    }
    if (!request.key().isEmpty() && store.head(request.bucket(), request.key()).isEmpty()) {
      throw new S3Exception(S3ErrorCode.NO_SUCH_KEY);
    }
  }
}
