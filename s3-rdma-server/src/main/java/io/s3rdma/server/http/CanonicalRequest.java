package io.s3rdma.server.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;

/**
 * SigV4's canonical request, from the request as it was received.
 *
 * <p>The path is decoded once and encoded again by SigV4's rule, so that clients that leave more or
 * fewer characters bare agree with us; a header value is taken octet by octet.
 */
final class CanonicalRequest {
  private static final String SIGNATURE = "X-Amz-Signature";
  private static final Pattern SPACES = Pattern.compile(" {2,}");

  private CanonicalRequest() {}

  static String sha256(RequestHead head, String path, List<String> signedHeaders, String payload) {
    String text = text(head, path, signedHeaders, payload);
    return Crypto.hex(Crypto.sha256(text.getBytes(StandardCharsets.ISO_8859_1)));
  }

  static String text(RequestHead head, String path, List<String> signedHeaders, String payload) {
    StringBuilder out = new StringBuilder(512);
    out.append(head.method()).append('\n').append(path).append('\n');
    out.append(query(head.query())).append('\n');
    for (String name : signedHeaders) {
      out.append(name).append(':').append(headerValue(head.headers(), name)).append('\n');
    }
    out.append('\n').append(String.join(";", signedHeaders)).append('\n').append(payload);
    return out.toString();
  }

  static String encodedPath(RequestHead head) {
    return UriCodec.encode(UriCodec.decode(head.rawPath()), true);
  }

  private static String query(QueryParameters query) {
    if (query.isEmpty()) {
      return "";
    }
    List<String> pairs = new ArrayList<>();
    for (QueryParameters.Parameter parameter : query.all()) {
      if (!parameter.name().equals(SIGNATURE)) {
        // A tab sorts below every encoded character, so "a" comes before "a-b" whatever follows.
        pairs.add(
            UriCodec.encode(parameter.name(), false)
                + '\t'
                + UriCodec.encode(parameter.value(), false));
      }
    }
    Collections.sort(pairs);
    return String.join("&", pairs).replace('\t', '=');
  }

  private static String headerValue(Headers headers, String name) {
    List<String> values = headers.all(name);
    values.replaceAll(CanonicalRequest::withSingleSpaces);
    return values.size() == 1 ? values.getFirst() : String.join(",", values);
  }

  private static String withSingleSpaces(String value) {
    String trimmed = value.trim();
    return trimmed.contains("  ") ? SPACES.matcher(trimmed).replaceAll(" ") : trimmed;
  }
}
