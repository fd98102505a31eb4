package io.s3rdma.server.s3;

import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;

/** Numbers in queries. */
final class Numbers {
  private Numbers() {}

  /** Zero or more, cut at {@code max}; {@code max} where the query is silent. */
  static int count(S3Request request, String name, int max) {
    String text = request.query(name).orElse("");
    if (text.isEmpty()) {
      return max;
    }
    if (!text.matches("[0-9]{1,10}")) {
      throw new S3Exception(S3ErrorCode.INVALID_ARGUMENT, name + " must be a whole number")
          .withDetail("ArgumentName", name)
          .withDetail("ArgumentValue", text);
    }
    return (int) Math.min(Long.parseLong(text), max);
  }
}
