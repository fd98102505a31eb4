package io.s3rdma.server.document;

import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * One rule of a CORS configuration.
 *
 * @param origins patterns with at most one star
 * @param headers patterns of request headers, in lower case
 * @param exposed response headers that a page may read
 */
record CorsRule(
    List<String> origins,
    List<String> methods,
    List<String> headers,
    List<String> exposed,
    Optional<Long> maxAgeSeconds) {
  private static final Set<String> METHODS = Set.of("GET", "PUT", "POST", "DELETE", "HEAD");
  private static final int ID_CHARS_MAX = 255;

  static CorsRule of(XmlElement rule) {
    rule.allow(
        "ID", "AllowedOrigin", "AllowedMethod", "AllowedHeader", "ExposeHeader", "MaxAgeSeconds");
    if (rule.optional("ID").map(XmlElement::text).orElse("").length() > ID_CHARS_MAX) {
      throw new S3Exception(
          S3ErrorCode.INVALID_ARGUMENT,
          "a rule's ID has more than " + ID_CHARS_MAX + " characters");
    }
    Optional<Long> maxAge = rule.optional("MaxAgeSeconds").map(XmlElement::number);
    if (maxAge.orElse(0L) < 0 || maxAge.orElse(0L) > Integer.MAX_VALUE) {
      throw XmlElement.malformed("MaxAgeSeconds is out of its bounds");
    }
    return new CorsRule(
        patterns(rule, "AllowedOrigin"),
        methods(rule),
        patterns(rule, "AllowedHeader").stream().map(h -> h.toLowerCase(Locale.ROOT)).toList(),
        exposed(rule),
        maxAge);
  }

  private static List<String> texts(XmlElement rule, String name) {
    return rule.all(name).stream().map(element -> element.text().trim()).toList();
  }

  private static List<String> patterns(XmlElement rule, String name) {
    List<String> patterns = texts(rule, name);
    for (String pattern : patterns) {
      if (pattern.indexOf('*') != pattern.lastIndexOf('*')) {
        throw CorsRules.invalid(name + " " + pattern + " has more than one wildcard");
      }
    }
    if (patterns.isEmpty() && name.equals("AllowedOrigin")) {
      throw XmlElement.malformed("a rule needs an " + name);
    }
    return patterns;
  }

  private static List<String> methods(XmlElement rule) {
    List<String> methods = texts(rule, "AllowedMethod");
    if (methods.isEmpty()) {
      throw XmlElement.malformed("a rule needs an AllowedMethod");
    }
    for (String method : methods) {
      if (!METHODS.contains(method)) {
        throw CorsRules.invalid("AllowedMethod " + method + " must be one of " + METHODS);
      }
    }
    return methods;
  }

  private static List<String> exposed(XmlElement rule) {
    List<String> names = texts(rule, "ExposeHeader");
    for (String name : names) {
      // It becomes a header of answers, so it must be a header's name and nothing else.
      if (!name.matches("[A-Za-z0-9!#$%&'+.^_`|~-]+")) {
        throw CorsRules.invalid("ExposeHeader " + name + " must be the name of one header");
      }
    }
    return names;
  }

  boolean allowsAnyOrigin() {
    return origins.contains("*");
  }

  boolean allows(String origin, String method, List<String> requestHeaders) {
    return methods.contains(method)
        && origins.stream().anyMatch(pattern -> matches(pattern, origin))
        && requestHeaders.stream().allMatch(this::allowsHeader);
  }

  private boolean allowsHeader(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return headers.stream().anyMatch(pattern -> matches(pattern, lower));
  }

  private static boolean matches(String pattern, String text) {
    int star = pattern.indexOf('*');
    if (star < 0) {
      return pattern.equals(text);
    }
    return text.length() >= pattern.length() - 1
        && text.startsWith(pattern.substring(0, star))
        && text.endsWith(pattern.substring(star + 1));
  }
}
