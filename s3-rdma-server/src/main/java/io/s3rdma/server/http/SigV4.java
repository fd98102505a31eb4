package io.s3rdma.server.http;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Verifies AWS Signature Version 4, in the header or in the query (presigned). */
final class SigV4 {
  static final String ALGORITHM = "AWS4-HMAC-SHA256";
  static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private static final Duration SKEW_MAX = Duration.ofMinutes(15);
  private static final long PRESIGN_SECONDS_MAX = 604_800;
  private static final int SIGNED_MAX = 200;
  private static final String SERVICE = "s3";
  private static final int DATE_DIGITS = 8;
  private static final int STAMP_LENGTH = 16;
  private static final int EXPIRY_DIGITS_MAX = 9;

  private final Credentials credentials;
  private final String region;
  private final Clock clock;
  private final SigningKeys signingKeys = new SigningKeys();

  SigV4(Credentials credentials, String region, Clock clock) {
    this.credentials = credentials;
    this.region = region;
    this.clock = clock;
  }

  /** A verified signature and what the verification of the body goes on from. */
  record Verified(Identity identity, String payloadHash, ChunkSigner chunks) {}

  /** When the client signed, and as it stands in the text that was signed. */
  private record Stamp(String text, Instant time) {
    static Stamp of(Instant time) {
      return new Stamp(STAMP.format(time), time);
    }
  }

  static boolean isSigned(RequestHead head) {
    return head.headers().contains(HttpNames.AUTHORIZATION)
        || head.query().contains("X-Amz-Algorithm")
        || head.query().contains("X-Amz-Signature");
  }

  Verified verify(RequestHead head) {
    if (head.headers().contains(HttpNames.AUTHORIZATION)) {
      if (head.query().contains("X-Amz-Algorithm") && head.query().contains("X-Amz-Signature")) {
        throw new S3Exception(
            S3ErrorCode.INVALID_ARGUMENT, "sign in the header or in the query, not in both");
      }
      return verifyHeader(head);
    }
    if (isSigned(head)) {
      return verifyQuery(head);
    }
    throw new S3Exception(S3ErrorCode.ACCESS_DENIED, "the request is not signed");
  }

  private Verified verifyHeader(RequestHead head) {
    String text = head.headers().first(HttpNames.AUTHORIZATION).orElse("").trim();
    if (text.isEmpty()) {
      throw new S3Exception(S3ErrorCode.ACCESS_DENIED, "the Authorization header is empty");
    }
    if (!text.startsWith(ALGORITHM + " ")) {
      throw new S3Exception(
          S3ErrorCode.INVALID_REQUEST, "unsupported Authorization type; use " + ALGORITHM);
    }
    Map<String, String> parts = authorizationParts(text.substring(ALGORITHM.length() + 1));
    CredentialScope scope = CredentialScope.parse(parts.getOrDefault("Credential", ""));
    String signature = parts.get("Signature");
    String signed = parts.get("SignedHeaders");
    if (scope == null || signature == null || signed == null) {
      throw malformed("needs Credential, SignedHeaders and Signature");
    }
    checkScope(scope, S3ErrorCode.AUTHORIZATION_HEADER_MALFORMED);
    Stamp stamp = headerTime(head.headers());
    checkDate(scope, stamp, S3ErrorCode.AUTHORIZATION_HEADER_MALFORMED);
    if (Duration.between(stamp.time(), clock.instant()).abs().compareTo(SKEW_MAX) > 0) {
      throw new S3Exception(S3ErrorCode.REQUEST_TIME_TOO_SKEWED)
          .withDetail("ServerTime", clock.instant().toString());
    }
    String payload =
        head.headers()
            .first(HttpNames.AMZ_CONTENT_SHA256)
            .orElseThrow(
                () ->
                    new S3Exception(
                        S3ErrorCode.INVALID_REQUEST, "the header x-amz-content-sha256 is missing"));
    return check(head, scope, stamp.text(), signed, payload, signature);
  }

  private Verified verifyQuery(RequestHead head) {
    if (!ALGORITHM.equals(head.query().first("X-Amz-Algorithm").orElse(""))) {
      throw badQuery("X-Amz-Algorithm must be " + ALGORITHM);
    }
    CredentialScope scope =
        CredentialScope.parse(head.query().first("X-Amz-Credential").orElse(""));
    if (scope == null) {
      throw badQuery("X-Amz-Credential is missing or malformed");
    }
    checkScope(scope, S3ErrorCode.AUTHORIZATION_QUERY_PARAMETERS_ERROR);
    Stamp stamp =
        stampOf(
            head.query().first("X-Amz-Date").orElse(""),
            "X-Amz-Date",
            S3ErrorCode.AUTHORIZATION_QUERY_PARAMETERS_ERROR);
    checkDate(scope, stamp, S3ErrorCode.AUTHORIZATION_QUERY_PARAMETERS_ERROR);
    requireValid(stamp.time(), expirySeconds(head.query().first("X-Amz-Expires").orElse("")));
    String signature =
        head.query()
            .first("X-Amz-Signature")
            .orElseThrow(() -> badQuery("X-Amz-Signature is missing"));
    String signed =
        head.query()
            .first("X-Amz-SignedHeaders")
            .orElseThrow(() -> badQuery("X-Amz-SignedHeaders is missing"));
    String payload =
        head.headers()
            .first(HttpNames.AMZ_CONTENT_SHA256)
            .or(() -> head.query().first("X-Amz-Content-Sha256"))
            .orElse(PayloadDecoder.UNSIGNED);
    return check(head, scope, stamp.text(), signed, payload, signature);
  }

  /**
   * Who signed a text that says itself what it allows: the policy of a form.
   *
   * @param date as {@code x-amz-date} has it
   */
  Identity verifyText(String credential, String date, String text, String signature) {
    CredentialScope scope = CredentialScope.parse(credential);
    if (scope == null) {
      throw new S3Exception(S3ErrorCode.INVALID_ARGUMENT, "x-amz-credential is malformed");
    }
    checkScope(scope, S3ErrorCode.INVALID_ARGUMENT);
    Stamp stamp = stampOf(date, "x-amz-date", S3ErrorCode.INVALID_ARGUMENT);
    checkDate(scope, stamp, S3ErrorCode.INVALID_ARGUMENT);
    requireValid(stamp.time(), PRESIGN_SECONDS_MAX);
    AccessKey accessKey = credentials.require(scope.accessKey());
    byte[] key = signingKeys.of(accessKey, scope);
    if (!Crypto.sameInConstantTime(Crypto.hex(Crypto.hmac(key, text)), signature)) {
      throw new S3Exception(S3ErrorCode.SIGNATURE_DOES_NOT_MATCH)
          .withDetail("AWSAccessKeyId", scope.accessKey());
    }
    return new Identity(accessKey.id(), accessKey.account(), accessKey.grants(), Set.of());
  }

  /** What was signed for later use is valid from its time on for so long. */
  private void requireValid(Instant time, long seconds) {
    Instant now = clock.instant();
    if (now.isAfter(time.plusSeconds(seconds))) {
      throw new S3Exception(S3ErrorCode.ACCESS_DENIED, "the presigned request has expired");
    }
    if (time.isAfter(now.plus(SKEW_MAX))) {
      throw new S3Exception(S3ErrorCode.ACCESS_DENIED, "the presigned request is not valid yet");
    }
  }

  private Verified check(
      RequestHead head,
      CredentialScope scope,
      String stamp,
      String signed,
      String payload,
      String signature) {
    AccessKey accessKey = credentials.require(scope.accessKey());
    List<String> names = signedNames(signed);
    requireSigned(head.headers(), names);
    byte[] key = signingKeys.of(accessKey, scope);
    String path = CanonicalRequest.encodedPath(head);
    if (!matches(head, path, names, payload, key, stamp, scope, signature)
        // Some clients sign the path exactly as they send it, for example with %2F in a key.
        && (path.equals(head.rawPath())
            || !matches(head, head.rawPath(), names, payload, key, stamp, scope, signature))) {
      throw mismatch(head.headers(), names).withDetail("AWSAccessKeyId", scope.accessKey());
    }
    Identity identity =
        new Identity(accessKey.id(), accessKey.account(), accessKey.grants(), Set.copyOf(names));
    return new Verified(identity, payload, new ChunkSigner(key, stamp, scope.text(), signature));
  }

  private static boolean matches(
      RequestHead head,
      String path,
      List<String> names,
      String payload,
      byte[] key,
      String stamp,
      CredentialScope scope,
      String signature) {
    String hash = CanonicalRequest.sha256(head, path, names, payload);
    String toSign = ALGORITHM + '\n' + stamp + '\n' + scope.text() + '\n' + hash;
    return Crypto.sameInConstantTime(Crypto.hex(Crypto.hmac(key, toSign)), signature);
  }

  /** What a client lists is looked up before its signature is known to hold, so it is bounded. */
  private static List<String> signedNames(String signed) {
    List<String> names = List.of(signed.toLowerCase(Locale.ROOT).split(";", SIGNED_MAX + 2));
    if (names.size() > SIGNED_MAX) {
      throw malformed("lists more than " + SIGNED_MAX + " SignedHeaders");
    }
    return names;
  }

  /** Says what a proxy has often taken away. */
  private static S3Exception mismatch(Headers headers, List<String> signed) {
    List<String> missing = signed.stream().filter(name -> !headers.contains(name)).toList();
    String text = S3ErrorCode.SIGNATURE_DOES_NOT_MATCH.text();
    return new S3Exception(
        S3ErrorCode.SIGNATURE_DOES_NOT_MATCH,
        missing.isEmpty() ? text : text + "; signed, but not in the request: " + missing);
  }

  /** P-1.1: every x-amz-* header that is there must be covered, and the host. */
  private static void requireSigned(Headers headers, List<String> covered) {
    if (!covered.contains(HttpNames.HOST)) {
      throw new S3Exception(S3ErrorCode.ACCESS_DENIED, "the host header must be signed");
    }
    headers.forEach(
        (name, value) -> {
          if (name.startsWith(HttpNames.AMZ_PREFIX) && !covered.contains(name)) {
            throw new S3Exception(
                S3ErrorCode.ACCESS_DENIED, "the header " + name + " is there but not signed");
          }
        });
  }

  private void checkScope(CredentialScope scope, S3ErrorCode code) {
    if (!scope.region().equals(region)) {
      throw new S3Exception(
              code, "the region '" + scope.region() + "' is wrong; expecting '" + region + "'")
          .withDetail("Region", region);
    }
    if (!scope.service().equals(SERVICE)) {
      throw new S3Exception(code, "the service '" + scope.service() + "' is wrong; expecting 's3'");
    }
  }

  private static void checkDate(CredentialScope scope, Stamp stamp, S3ErrorCode code) {
    if (scope.date().length() != DATE_DIGITS || !stamp.text().startsWith(scope.date())) {
      throw new S3Exception(code, "the credential's date is not that of the request");
    }
  }

  private static Stamp headerTime(Headers headers) {
    String stamp = headers.first(HttpNames.AMZ_DATE).orElse(null);
    String date = headers.first(HttpNames.DATE).orElse(null);
    try {
      if (stamp != null) {
        return parseStamp(stamp);
      }
      if (date != null) {
        return date.endsWith("Z") && date.indexOf(' ') < 0
            ? parseStamp(date)
            : Stamp.of(HttpDates.parse(date).orElseThrow(() -> new DateTimeException(date)));
      }
    } catch (DateTimeException e) {
      throw new S3Exception(S3ErrorCode.ACCESS_DENIED, "the request's date is malformed", e);
    }
    throw new S3Exception(S3ErrorCode.ACCESS_DENIED, "x-amz-date or Date is needed");
  }

  private static Stamp parseStamp(String text) {
    if (text.length() != STAMP_LENGTH
        || text.charAt(DATE_DIGITS) != 'T'
        || text.charAt(STAMP_LENGTH - 1) != 'Z') {
      throw new DateTimeException("not of the form yyyyMMddTHHmmssZ");
    }
    LocalDateTime utc =
        LocalDateTime.of(
            digits(text, 0, 4),
            digits(text, 4, 6),
            digits(text, 6, 8),
            digits(text, 9, 11),
            digits(text, 11, 13),
            digits(text, 13, 15));
    return new Stamp(text, utc.toInstant(ZoneOffset.UTC));
  }

  private static int digits(String text, int from, int to) {
    int number = 0;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        throw new DateTimeException("not of the form yyyyMMddTHHmmssZ");
      }
      number = 10 * number + c - '0';
    }
    return number;
  }

  private static Stamp stampOf(String text, String name, S3ErrorCode code) {
    try {
      return parseStamp(text);
    } catch (DateTimeException e) {
      throw new S3Exception(code, name + " is malformed", e);
    }
  }

  private static long expirySeconds(String text) {
    int digitsFrom = text.startsWith("-") ? 1 : 0;
    int digits = text.length() - digitsFrom;
    if (digits < 1
        || digits > EXPIRY_DIGITS_MAX
        || !text.chars().skip(digitsFrom).allMatch(c -> c >= '0' && c <= '9')) {
      throw badQuery("X-Amz-Expires must be a number of seconds");
    }
    long seconds = Long.parseLong(text);
    if (seconds < 1 || seconds > PRESIGN_SECONDS_MAX) {
      throw new S3Exception(
          S3ErrorCode.PRESIGN_EXPIRES_OUT_OF_RANGE,
          "X-Amz-Expires must be from 1 to " + PRESIGN_SECONDS_MAX);
    }
    return seconds;
  }

  private static Map<String, String> authorizationParts(String text) {
    Map<String, String> parts = new HashMap<>();
    for (String part : text.split(",", -1)) {
      int equals = part.indexOf('=');
      if (equals > 0) {
        parts.put(part.substring(0, equals).trim(), part.substring(equals + 1).trim());
      }
    }
    return parts;
  }

  private static S3Exception malformed(String why) {
    return new S3Exception(S3ErrorCode.AUTHORIZATION_HEADER_MALFORMED, "Authorization " + why);
  }

  private static S3Exception badQuery(String why) {
    return new S3Exception(S3ErrorCode.AUTHORIZATION_QUERY_PARAMETERS_ERROR, why);
  }
}
