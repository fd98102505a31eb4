package io.s3rdma.server.http;

import java.util.List;

/** {@code AKID/20150830/us-east-1/s3/aws4_request}; an access key may itself hold slashes. */
record CredentialScope(String accessKey, String date, String region, String service) {

  /** Null if the text has not the form. */
  static CredentialScope parse(String text) {
    List<String> parts = List.of(text.split("/", -1));
    int count = parts.size();
    if (count < 5 || !parts.get(count - 1).equals("aws4_request")) {
      return null;
    }
    String accessKey = String.join("/", parts.subList(0, count - 4));
    return new CredentialScope(
        accessKey, parts.get(count - 4), parts.get(count - 3), parts.get(count - 2));
  }

  String text() {
    return date + "/" + region + "/" + service + "/aws4_request";
  }
}
