package io.s3rdma.server.http;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A form as a browser makes it, signed by the letter of Amazon's documents and not by the code
 * under test. Its text has a character for an octet.
 */
public final class TestForm {
  public static final String BOUNDARY = "----WebKitFormBoundaryx7Gq";

  private final StringBuilder parts = new StringBuilder();
  private final Map<String, String> signed = new LinkedHashMap<>();

  /** A field before whatever is added later. */
  public TestForm field(String name, String value) {
    return part("name=\"" + octets(name) + "\"", octets(value));
  }

  /** The part that the object is made of. */
  public TestForm file(String fileName, String content) {
    return part("name=\"file\"; filename=\"" + octets(fileName) + "\"", content);
  }

  /** {@code parameters} stand behind form-data, octet for octet. */
  public TestForm part(String parameters, String content) {
    parts.append("--" + BOUNDARY + "\r\nContent-Disposition: form-data; " + parameters);
    parts.append("\r\n\r\n").append(content).append("\r\n");
    return this;
  }

  /** Octets in the place of a part. */
  public TestForm raw(String text) {
    parts.append(text);
    return this;
  }

  /** Signs a policy of these conditions by Signature Version 4, which adds its own. */
  public TestForm signV4(String accessKey, String secret, String expiration, String conditions) {
    return signV4(accessKey, secret, Instant.now(), expiration, conditions);
  }

  public TestForm signV4(
      String accessKey, String secret, Instant time, String expiration, String conditions) {
    String stamp = SigV4.STAMP.format(time);
    String date = stamp.substring(0, 8);
    String credential = accessKey + "/" + date + "/us-east-1/s3/aws4_request";
    String policy =
        policy(
            expiration,
            conditions
                + ",{\"x-amz-algorithm\":\"AWS4-HMAC-SHA256\"},{\"x-amz-credential\":\""
                + credential
                + "\"},{\"x-amz-date\":\""
                + stamp
                + "\"}");
    byte[] key = hmac("HmacSHA256", ("AWS4" + secret).getBytes(StandardCharsets.UTF_8), date);
    for (String step : new String[] {"us-east-1", "s3", "aws4_request"}) {
      key = hmac("HmacSHA256", key, step);
    }
    String signature = HexFormat.of().formatHex(hmac("HmacSHA256", key, policy));
    return signed("x-amz-algorithm", "AWS4-HMAC-SHA256")
        .signed("x-amz-credential", credential)
        .signed("x-amz-date", stamp)
        .signed("policy", policy)
        .signed("x-amz-signature", signature);
  }

  /** The same by Signature Version 2. */
  public TestForm signV2(String accessKey, String secret, String expiration, String conditions) {
    String policy = policy(expiration, conditions);
    byte[] signature = hmac("HmacSHA1", secret.getBytes(StandardCharsets.UTF_8), policy);
    return signed("AWSAccessKeyId", accessKey)
        .signed("policy", policy)
        .signed("signature", Base64.getEncoder().encodeToString(signature));
  }

  /** What the signature added, for a page. */
  public Map<String, String> signedFields() {
    return signed;
  }

  private TestForm signed(String name, String value) {
    signed.put(name, value);
    return field(name, value);
  }

  private static String policy(String expiration, String conditions) {
    String json = "{\"expiration\":\"" + expiration + "\",\"conditions\":[" + conditions + "]}";
    return Base64.getEncoder().encodeToString(json.getBytes(StandardCharsets.UTF_8));
  }

  public static String contentType() {
    return "multipart/form-data; boundary=" + BOUNDARY;
  }

  /** With the last boundary. */
  public String body() {
    return unfinished() + "--" + BOUNDARY + "--\r\n";
  }

  /** Without it. */
  public String unfinished() {
    return parts.toString();
  }

  /** Sends it and gives the answer. */
  public RawClient.Answer post(RawClient client, String target, String... headers)
      throws java.io.IOException {
    return send(client, target, body(), headers);
  }

  /** The same with any body. */
  public static RawClient.Answer send(
      RawClient client, String target, String body, String... headers) throws java.io.IOException {
    StringBuilder head = new StringBuilder("POST " + target + " HTTP/1.1\r\nHost: localhost\r\n");
    head.append("Content-Type: " + contentType() + "\r\nContent-Length: " + body.length() + "\r\n");
    Headers.of(headers)
        .forEach((name, value) -> head.append(name + ": ").append(value).append("\r\n"));
    client.send(head + "\r\n" + body);
    return client.receive();
  }

  private static String octets(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }

  private static byte[] hmac(String algorithm, byte[] key, String text) {
    try {
      Mac mac = Mac.getInstance(algorithm);
      mac.init(new SecretKeySpec(key, algorithm));
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
