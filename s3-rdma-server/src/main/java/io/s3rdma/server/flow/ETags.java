package io.s3rdma.server.flow;

import io.s3rdma.server.http.S3Request;
import java.util.ArrayList;
import java.util.List;

/** Lists of ETags in conditions, compared without quotes and without a weak mark. */
final class ETags {
  private ETags() {}

  static List<String> parse(S3Request request, String header) {
    List<String> etags = new ArrayList<>();
    for (String value : request.headers().all(header)) {
      for (String part : value.split(",", -1)) {
        String etag = part.trim();
        etag = etag.startsWith("W/") ? etag.substring(2) : etag;
        etags.add(etag.replace("\"", ""));
      }
    }
    return etags;
  }

  static boolean match(List<String> etags, String etag) {
    return etags.contains("*") || etags.contains(etag);
  }

  static String quoted(String etag) {
    return '"' + etag + '"';
  }
}
