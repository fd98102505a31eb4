package io.s3rdma.server.flow;

import io.s3rdma.server.http.Operation;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.http.S3Response;
import java.io.IOException;

/** What the requests about connections have in common: POST, and signed (P-2.1, P-2.8). */
record ConnectOperation(Operation steps, boolean allowsAnonymous) implements Operation {
  @Override
  public S3Response handle(S3Request request) throws IOException {
    if (!request.method().equals("POST")) {
      throw new S3Exception(S3ErrorCode.METHOD_NOT_ALLOWED);
    }
    // P-2.8: unsigned only where the configuration says so.
    if (request.accessKey() == null && !allowsAnonymous) {
      throw new S3Exception(S3ErrorCode.ACCESS_DENIED);
    }
    return steps.handle(request);
  }
}
