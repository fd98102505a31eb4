package io.s3rdma.server.s3;

import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.http.UriCodec;
import io.s3rdma.server.http.Xml;
import java.util.Optional;

/** How a listing writes keys: as they are, or with {@code encoding-type=url} encoded. */
record KeyEncoding(Optional<String> type) {
  private static final String URL = "url";

  static KeyEncoding of(S3Request request) {
    Optional<String> type = request.query("encoding-type");
    if (type.isPresent() && !type.get().equals(URL)) {
      throw new S3Exception(S3ErrorCode.INVALID_ARGUMENT, "encoding-type must be " + URL)
          .withDetail("ArgumentName", "encoding-type")
          .withDetail("ArgumentValue", type.get());
    }
    return new KeyEncoding(type);
  }

  /** A space is %20, a plus %2B and a slash bare: every client decodes that right. */
  String apply(String text) {
    return type.isPresent() ? UriCodec.encode(text, true) : text;
  }

  void write(Xml xml) {
    type.ifPresent(text -> xml.text("EncodingType", text));
  }
}
