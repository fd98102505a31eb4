package io.s3rdma.server.http;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Signs by the letter of SigV4 and by itself, not by the code under test: the caller gives the path
 * and the query as they stand in the canonical request. Every part can be made wrong.
 */
public final class RequestSigner {
  private final String accessKey;
  private final String secret;
  private Instant time = Instant.now();
  private String region = "us-east-1";
  private String service = "s3";
  private String scopeDate;
  private String payload = "UNSIGNED-PAYLOAD";
  private boolean withAmzDate = true;
  private String seed;

  public RequestSigner(String accessKey, String secret) {
    this.accessKey = accessKey;
    this.secret = secret;
  }

  public RequestSigner at(Instant when) {
    time = when;
    return this;
  }

  public RequestSigner scope(String date, String inRegion, String ofService) {
    scopeDate = date;
    region = inRegion;
    service = ofService;
    return this;
  }

  public RequestSigner payload(String contentSha256) {
    payload = contentSha256;
    return this;
  }

  public RequestSigner withoutAmzDate() {
    withAmzDate = false;
    return this;
  }

  /** A head whose canonical path is {@code target} itself; it has no query. */
  public String head(String method, String target, Headers headers) {
    return head(method, target, target, "", headers, List.of());
  }

  /**
   * A head in full.
   *
   * @param target as it goes onto the wire
   * @param alsoSigned names that SignedHeaders lists though the head has them not
   */
  public String head(
      String method,
      String target,
      String path,
      String query,
      Headers headers,
      List<String> alsoSigned) {
    Headers all = headers.with("host", "localhost").with("x-amz-content-sha256", payload);
    all = withAmzDate ? all.with("x-amz-date", stamp()) : all;
    TreeSet<String> names = new TreeSet<>(all.names());
    names.addAll(alsoSigned);
    seed = signature(canonical(method, path, query, all, names, payload));
    StringBuilder out = new StringBuilder(method + " " + target + " HTTP/1.1\r\n");
    all.forEach((name, value) -> out.append(name).append(": ").append(value).append("\r\n"));
    return out.append("Authorization: AWS4-HMAC-SHA256 Credential=")
        .append(accessKey + "/" + scope() + ",SignedHeaders=" + String.join(";", names))
        .append(",Signature=" + seed + "\r\n\r\n")
        .toString();
  }

  /** A target that carries its signature; {@code headers} are signed and the caller sends them. */
  public String presigned(String method, String path, String expires, Headers headers) {
    Headers all = headers.with("host", "localhost");
    TreeSet<String> names = new TreeSet<>(all.names());
    List<String> query = new ArrayList<>();
    query.add("X-Amz-Algorithm=AWS4-HMAC-SHA256");
    query.add("X-Amz-Credential=" + UriCodec.encode(accessKey + "/" + scope(), false));
    query.add("X-Amz-Date=" + stamp());
    query.add("X-Amz-Expires=" + expires);
    query.add("X-Amz-SignedHeaders=" + String.join("%3B", names));
    String text = String.join("&", query);
    String signature = signature(canonical(method, path, text, all, names, payload));
    return path + "?" + text + "&X-Amz-Signature=" + signature;
  }

  /** A chunk of the chain that the last head began; empty data is the last chunk. */
  public String chunk(String data) {
    String hashes = Crypto.EMPTY_SHA256 + "\n" + sha256(data);
    seed = sign(String.join("\n", "AWS4-HMAC-SHA256-PAYLOAD", stamp(), scope(), seed, hashes));
    String header = Integer.toHexString(data.length()) + ";chunk-signature=" + seed + "\r\n";
    return data.isEmpty() ? header : header + data + "\r\n";
  }

  /** The trailer with its signature, and the end of the body. */
  public String trailer(String name, String value) {
    String hash = sha256(name + ":" + value + "\n");
    seed = sign(String.join("\n", "AWS4-HMAC-SHA256-TRAILER", stamp(), scope(), seed, hash));
    return name + ":" + value + "\r\nx-amz-trailer-signature:" + seed + "\r\n\r\n";
  }

  public static String sha256(String text) {
    byte[] octets = text.getBytes(StandardCharsets.ISO_8859_1);
    return Crypto.hex(Crypto.digest("SHA-256").digest(octets));
  }

  private static String canonical(
      String method,
      String path,
      String query,
      Headers headers,
      Set<String> names,
      String payload) {
    StringBuilder out = new StringBuilder(method + "\n" + path + "\n" + query + "\n");
    for (String name : names) {
      out.append(name + ":" + String.join(",", headers.all(name)) + "\n");
    }
    return out + "\n" + String.join(";", names) + "\n" + payload;
  }

  private String signature(String canonical) {
    return sign(String.join("\n", "AWS4-HMAC-SHA256", stamp(), scope(), sha256(canonical)));
  }

  private String sign(String text) {
    String date = scopeDate == null ? stamp().substring(0, 8) : scopeDate;
    return Crypto.hex(Crypto.hmac(Crypto.signingKey(secret, date, region, service), text));
  }

  private String scope() {
    String date = scopeDate == null ? stamp().substring(0, 8) : scopeDate;
    return String.join("/", date, region, service, "aws4_request");
  }

  private String stamp() {
    return SigV4.STAMP.format(time);
  }
}
