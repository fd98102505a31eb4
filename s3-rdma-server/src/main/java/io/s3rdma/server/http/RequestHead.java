package io.s3rdma.server.http;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * What stood before the body. {@code rawPath} and {@code rawQuery} are as received.
 *
 * @param hostBucket the bucket that the host named, so that the path is all key; mostly empty
 * @param receivedNanos {@link System#nanoTime} of the receipt; a client's patience counts from it
 *     (P-1.7)
 * @param local the address of ours that the client's connection came to; null if it is not known
 * @param isSecure whether it came by TLS
 */
public record RequestHead(
    String method,
    String rawPath,
    String rawQuery,
    QueryParameters query,
    Headers headers,
    InetAddress remote,
    String requestId,
    String hostBucket,
    long receivedNanos,
    InetAddress local,
    boolean isSecure) {

  /** The address of an encoded path at the host that the client named. */
  public String addressOf(String path) {
    return (isSecure ? "https://" : "http://") + headers.first(HttpNames.HOST).orElse("") + path;
  }

  // The name's owner is rdma.wire; only its uniqueness is HTTP's business.
  static final String RDMA_TOKEN = "x-amz-rdma-token";
  private static final int KEY_BYTES_MAX = 1024;

  /** Splits the request target and refuses what is ambiguous; the path names the bucket. */
  public static RequestHead of(
      String method, String target, Headers headers, InetAddress remote, String requestId) {
    return of(method, target, headers, remote, requestId, VirtualHosts.NONE);
  }

  /** The same where the host may name the bucket. */
  static RequestHead of(
      String method,
      String target,
      Headers headers,
      InetAddress remote,
      String requestId,
      VirtualHosts hosts) {
    String origin = originForm(target);
    int question = origin.indexOf('?');
    String rawPath = question < 0 ? origin : origin.substring(0, question);
    String rawQuery = question < 0 ? "" : origin.substring(question + 1);
    requireSingle(headers, RDMA_TOKEN); // P-1.13
    requireSingle(headers, HttpNames.CONTENT_LENGTH); // P-1.13
    requireSingle(headers, HttpNames.HOST);
    return new RequestHead(
        method,
        rawPath,
        rawQuery,
        QueryParameters.parse(rawQuery),
        headers,
        remote,
        requestId,
        hosts.bucketOf(headers.first(HttpNames.HOST).orElse("")),
        System.nanoTime(),
        null,
        false);
  }

  /** The same, having come to this address of ours, by TLS or not. */
  public RequestHead at(InetAddress address, boolean secure) {
    return new RequestHead(
        method,
        rawPath,
        rawQuery,
        query,
        headers,
        remote,
        requestId,
        hostBucket,
        receivedNanos,
        address,
        secure);
  }

  /** Octets on the wire after the head; -1 if the head does not say. */
  public long contentLength() {
    return lengthOf(HttpNames.CONTENT_LENGTH);
  }

  /** Octets of the object: without aws-chunked framing; -1 if the head does not say. */
  public long payloadLength() {
    String mode = headers.first(HttpNames.AMZ_CONTENT_SHA256).orElse("");
    return mode.startsWith("STREAMING-")
        ? lengthOf(HttpNames.AMZ_DECODED_CONTENT_LENGTH)
        : contentLength();
  }

  boolean isChunked() {
    return headers
        .first(HttpNames.TRANSFER_ENCODING)
        .map(value -> value.toLowerCase(Locale.ROOT).contains("chunked"))
        .orElse(false);
  }

  boolean expectsContinue() {
    return headers.first(HttpNames.EXPECT).map("100-continue"::equalsIgnoreCase).orElse(false);
  }

  /** Empty for the service itself. */
  String bucket() {
    if (!hostBucket.isEmpty()) {
      return hostBucket;
    }
    return UriCodec.decode(rawPath.substring(1, bucketEnd()));
  }

  /** Empty for a bucket. */
  String key() {
    int end = bucketEnd();
    String key = end >= rawPath.length() ? "" : UriCodec.decode(rawPath.substring(end + 1));
    if (key.getBytes(StandardCharsets.UTF_8).length > KEY_BYTES_MAX) {
      throw new S3Exception(S3ErrorCode.KEY_TOO_LONG);
    }
    return key;
  }

  private int bucketEnd() {
    if (!hostBucket.isEmpty()) {
      return 0;
    }
    int slash = rawPath.indexOf('/', 1);
    return slash < 0 ? rawPath.length() : slash;
  }

  private long lengthOf(String name) {
    List<String> values = headers.all(name);
    if (values.isEmpty()) {
      return -1;
    }
    String text = values.get(0);
    if (text.isEmpty() || text.length() > 18 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw new S3Exception(S3ErrorCode.INVALID_REQUEST, "bad " + name + ": " + text);
    }
    return Long.parseLong(text);
  }

  private static void requireSingle(Headers headers, String name) {
    if (headers.all(name).size() > 1) {
      throw new S3Exception(S3ErrorCode.INVALID_REQUEST, "the header " + name + " comes twice");
    }
  }

  private static String originForm(String target) {
    if (target.startsWith("/")) {
      return target;
    }
    int scheme = target.indexOf("://");
    if (scheme < 0) {
      throw new S3Exception(S3ErrorCode.INVALID_URI, "the request target is not a path");
    }
    int query = target.indexOf('?');
    String place = query < 0 ? target : target.substring(0, query);
    int path = place.indexOf('/', scheme + 3);
    // http://host?query has an empty path, which is the root.
    return path >= 0 ? target.substring(path) : "/" + target.substring(place.length());
  }
}
