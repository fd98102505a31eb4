package io.s3rdma.server.flow;

import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;

/** Numbers of parts in requests. */
final class PartNumbers {
  static final String QUERY = "partNumber";
  static final int MAX = 10_000;

  private PartNumbers() {}

  /** From the query. */
  static int required(S3Request request) {
    return parse(request.query(QUERY).orElse(""));
  }

  static int parse(String text) {
    boolean digits = text.matches("[0-9]{1,5}");
    int number = digits ? Integer.parseInt(text) : 0;
    if (number < 1 || number > MAX) {
      throw new S3Exception(
              S3ErrorCode.INVALID_ARGUMENT, "a part number is a whole number from 1 to " + MAX)
          .withDetail("ArgumentName", QUERY)
          .withDetail("ArgumentValue", text);
    }
    return number;
  }
}
