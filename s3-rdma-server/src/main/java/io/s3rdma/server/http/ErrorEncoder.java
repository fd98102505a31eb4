package io.s3rdma.server.http;

/** Turns a refusal into its S3 document. */
final class ErrorEncoder {
  private ErrorEncoder() {}

  static S3Response encode(S3Exception refusal, String resource, String requestId) {
    Xml xml =
        Xml.plainDocument("Error")
            .text("Code", refusal.code().code())
            .text("Message", refusal.getMessage());
    refusal.details().forEach(xml::text);
    xml.text("Resource", resource).text("RequestId", requestId);
    S3Response response = S3Response.xml(refusal.code().status(), xml.finish());
    for (String name : refusal.headers().names()) {
      for (String value : refusal.headers().all(name)) {
        response = response.withHeader(name, value);
      }
    }
    return response;
  }
}
