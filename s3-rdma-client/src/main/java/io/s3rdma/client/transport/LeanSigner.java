package io.s3rdma.client.transport;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;

/**
 * SigV4 in the Authorization header for requests without query and without a signed body, as {@link
 * LeanHttp} makes them. The day's signing key is kept. Thread-safe.
 */
final class LeanSigner {
  private static final String HMAC = "HmacSHA256";
  private static final String ALGORITHM = "AWS4-HMAC-SHA256";
  private static final int DATE_DIGITS = 8;

  // Looking a provider up costs more than what is computed with it; each call leaves them reset.
  private static final ThreadLocal<MessageDigest> SHA256 =
      ThreadLocal.withInitial(LeanSigner::newSha256);
  private static final ThreadLocal<Mac> MAC = ThreadLocal.withInitial(LeanSigner::newMac);

  private final String region;
  private volatile DayKey dayKey = new DayKey("", "", new byte[0]);
  private volatile Second second = new Second(Long.MIN_VALUE, "");

  LeanSigner(String region) {
    this.region = region;
  }

  /** A class and no record: it must never be printed. */
  private static final class DayKey {
    private final String secret;
    private final String date;
    private final byte[] key;

    DayKey(String secret, String date, byte[] key) {
      this.secret = secret;
      this.date = date;
      this.key = key;
    }
  }

  private record Second(long epochSecond, String stamp) {}

  /**
   * Adds date, payload hash, session token and Authorization.
   *
   * @param encodedPath as it goes onto the wire
   * @param headers all that are to be signed, lower-case names, {@code host} among them; plain
   *     values without spaces at their ends or two in a row
   */
  void sign(
      String method,
      String encodedPath,
      SortedMap<String, String> headers,
      String payloadHash,
      AwsCredentials credentials,
      Instant now) {
    String stamp = stampOf(now.getEpochSecond());
    headers.put("x-amz-content-sha256", payloadHash);
    headers.put("x-amz-date", stamp);
    if (credentials instanceof AwsSessionCredentials session) {
      headers.put("x-amz-security-token", session.sessionToken());
    }
    String date = stamp.substring(0, DATE_DIGITS);
    String scope = date + '/' + region + "/s3/aws4_request";
    String names = String.join(";", headers.keySet());
    StringBuilder canonical = new StringBuilder(768);
    canonical.append(method).append('\n').append(encodedPath).append("\n\n");
    for (Map.Entry<String, String> header : headers.entrySet()) {
      canonical.append(header.getKey()).append(':').append(header.getValue()).append('\n');
    }
    canonical.append('\n').append(names).append('\n').append(payloadHash);
    String hash = hex(SHA256.get().digest(utf8(canonical.toString())));
    String toSign = ALGORITHM + '\n' + stamp + '\n' + scope + '\n' + hash;
    String signature = hex(hmac(keyOf(credentials.secretAccessKey(), date), toSign));
    headers.put(
        "authorization",
        ALGORITHM
            + " Credential="
            + credentials.accessKeyId()
            + '/'
            + scope
            + ", SignedHeaders="
            + names
            + ", Signature="
            + signature);
  }

  private String stampOf(long epochSecond) {
    Second last = second;
    if (last.epochSecond != epochSecond) {
      LocalDateTime utc = LocalDateTime.ofEpochSecond(epochSecond, 0, ZoneOffset.UTC);
      String stamp =
          "%04d%02d%02dT%02d%02d%02dZ"
              .formatted(
                  utc.getYear(),
                  utc.getMonthValue(),
                  utc.getDayOfMonth(),
                  utc.getHour(),
                  utc.getMinute(),
                  utc.getSecond());
      last = new Second(epochSecond, stamp);
      second = last;
    }
    return last.stamp;
  }

  private byte[] keyOf(String secret, String date) {
    DayKey last = dayKey;
    if (!last.date.equals(date) || !last.secret.equals(secret)) {
      byte[] dateKey = hmac(utf8("AWS4" + secret), date);
      byte[] key = hmac(hmac(hmac(dateKey, region), "s3"), "aws4_request");
      last = new DayKey(secret, date, key);
      dayKey = last;
    }
    return last.key;
  }

  private static byte[] hmac(byte[] key, String text) {
    try {
      Mac mac = MAC.get();
      mac.init(new SecretKeySpec(key, HMAC));
      return mac.doFinal(utf8(text));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(HMAC + " refuses a key of " + key.length + " octets", e);
    }
  }

  private static MessageDigest newSha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no SHA-256", e);
    }
  }

  private static Mac newMac() {
    try {
      return Mac.getInstance(HMAC);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no " + HMAC, e);
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String hex(byte[] octets) {
    return HexFormat.of().formatHex(octets);
  }
}
