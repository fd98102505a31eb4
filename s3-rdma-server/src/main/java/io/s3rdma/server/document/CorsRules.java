package io.s3rdma.server.document;

import io.s3rdma.server.http.Headers;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.store.BucketMeta;
import java.util.List;
import java.util.Optional;

/** A bucket's CORS configuration: which pages may read which answers in a browser. */
public record CorsRules(List<CorsRule> rules) {
  /** The name of the setting of a bucket. */
  public static final String SETTING = "cors";

  private static final String ROOT = "CORSConfiguration";
  private static final int RULES_MAX = 100;
  private static final String VARY =
      "Origin, Access-Control-Request-Headers, Access-Control-Request-Method";
  private static final KeptDocuments<CorsRules> KEPT =
      new KeptDocuments<>(CorsRules::parse, new CorsRules(List.of()));

  public CorsRules {
    rules = List.copyOf(rules);
  }

  /** What the bucket has; empty where it has none. */
  public static Optional<CorsRules> of(BucketMeta bucket) {
    return bucket.setting(SETTING).map(KEPT::get);
  }

  /** Checks a client's document and gives what to keep of it. */
  public static String toKeep(byte[] document) {
    parse(document);
    return XmlElement.toDocument(ROOT, XmlElement.parse(document, ROOT).children());
  }

  static CorsRules parse(byte[] document) {
    XmlElement root = XmlElement.parse(document, ROOT).allow("CORSRule");
    List<XmlElement> elements = root.all("CORSRule");
    if (elements.isEmpty() || elements.size() > RULES_MAX) {
      throw XmlElement.malformed("from 1 to " + RULES_MAX + " rules are needed");
    }
    return new CorsRules(elements.stream().map(CorsRule::of).toList());
  }

  /**
   * What an answer to a request with an origin says; empty where no rule allows it.
   *
   * @param method of the request, or the one a preflight asks for
   * @param requestHeaders that a preflight asks for; empty for the request itself
   */
  public Optional<Headers> answer(String origin, String method, List<String> requestHeaders) {
    for (CorsRule rule : rules) {
      if (rule.allows(origin, method, requestHeaders)) {
        return Optional.of(headers(rule, origin, requestHeaders));
      }
    }
    return Optional.empty();
  }

  private static Headers headers(CorsRule rule, String origin, List<String> requestHeaders) {
    Headers.Builder headers = Headers.builder();
    boolean any = rule.allowsAnyOrigin();
    headers.add("access-control-allow-origin", any ? "*" : origin);
    headers.add("access-control-allow-methods", String.join(", ", rule.methods()));
    if (!any) {
      headers.add("access-control-allow-credentials", "true");
    }
    if (!requestHeaders.isEmpty()) {
      headers.add("access-control-allow-headers", String.join(", ", requestHeaders));
    }
    if (!rule.exposed().isEmpty()) {
      headers.add("access-control-expose-headers", String.join(", ", rule.exposed()));
    }
    rule.maxAgeSeconds()
        .ifPresent(age -> headers.add("access-control-max-age", Long.toString(age)));
    return headers.add("vary", VARY).build();
  }

  static S3Exception invalid(String message) {
    return new S3Exception(S3ErrorCode.INVALID_REQUEST, message);
  }
}
