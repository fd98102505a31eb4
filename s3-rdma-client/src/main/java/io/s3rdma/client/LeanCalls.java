package io.s3rdma.client;

import io.s3rdma.client.transport.LeanAnswer;
import io.s3rdma.client.transport.LeanHttp;
import io.s3rdma.rdma.wire.RdmaHeaders;
import java.io.IOException;
import java.net.ProxySelector;
import java.net.URI;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.utils.http.SdkHttpUtils;

/**
 * Requests with a token that say no more than bucket, key, range and checksum, without the SDK's
 * machinery. Everything else about a transfer is the caller's, as over the SDK: grant, attempts,
 * policy, result. A refusal is handed to the SDK, which makes its own exception of it. Thread-safe.
 */
final class LeanCalls implements AutoCloseable {
  /** The SDK understands more than these as a bucket: ARNs, access points, names of its own. */
  private static final Pattern BUCKET = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");

  private static final String USER_AGENT = "s3rdma-client";

  private final LeanHttp http;
  private final ReplayingHttp replaying;
  private final S3Client sdk;

  /**
   * @param sdk makes the exceptions, over {@code replaying}; it never retries by itself
   */
  LeanCalls(LeanHttp http, ReplayingHttp replaying, S3Client sdk) {
    this.http = http;
    this.replaying = replaying;
    this.sdk = sdk;
  }

  /** Whether a server can be spoken to without what only the SDK's HTTP client does. */
  static boolean reaches(URI endpoint) {
    String scheme = endpoint.getScheme();
    boolean plain = endpoint.getPath().isEmpty() || endpoint.getPath().equals("/");
    return "http".equalsIgnoreCase(scheme)
        && plain
        && endpoint.getRawUserInfo() == null
        && !hasProxy(endpoint);
  }

  // As the SDK's HTTP client looks for one: system properties first, then the environment.
  private static boolean hasProxy(URI endpoint) {
    ProxySelector selector = ProxySelector.getDefault();
    boolean byProperties =
        selector != null
            && selector.select(endpoint).stream()
                .anyMatch(proxy -> proxy.type() != java.net.Proxy.Type.DIRECT);
    return byProperties
        || System.getProperty("http.proxyHost") != null
        || System.getenv().keySet().stream()
            .anyMatch(name -> name.toLowerCase(Locale.ROOT).equals("http_proxy"));
  }

  boolean takes(GetObjectRequest request) {
    return isPlain(request.bucket(), request.key())
        && GetObjectRequest.builder()
            .bucket(request.bucket())
            .key(request.key())
            .range(request.range())
            .build()
            .equals(request);
  }

  boolean takes(PutObjectRequest request) {
    return isPlain(request.bucket(), request.key())
        && PutObjectRequest.builder()
            .bucket(request.bucket())
            .key(request.key())
            .build()
            .equals(request);
  }

  private static boolean isPlain(String bucket, String key) {
    return bucket != null
        && key != null
        && !key.isEmpty()
        && BUCKET.matcher(bucket).matches()
        && !bucket.contains("--"); // directory buckets sign otherwise
  }

  /**
   * The answer to a GET with this token.
   *
   * @throws software.amazon.awssdk.services.s3.model.S3Exception the server's refusal
   * @throws SdkClientException if no answer came
   */
  LeanAnswer get(GetObjectRequest request, String token, long deadlineMillis, long patienceMillis) {
    Map<String, String> signed = signed(token, deadlineMillis);
    Optional.ofNullable(request.range()).ifPresent(range -> signed.put("range", range));
    LeanAnswer answer =
        send("GET", pathOf(request.bucket(), request.key()), signed, Map.of(), patienceMillis);
    return accepted(answer, () -> sdk.getObject(request, ResponseTransformer.toBytes()));
  }

  /**
   * The answer to a PUT with this token.
   *
   * @param crc32c of the bytes, or empty
   */
  LeanAnswer put(
      PutObjectRequest request,
      Optional<String> crc32c,
      String token,
      long deadlineMillis,
      long patienceMillis) {
    Map<String, String> signed = signed(token, deadlineMillis);
    signed.put("content-type", "application/octet-stream"); // as the SDK does
    crc32c.ifPresent(sum -> signed.put("x-amz-checksum-crc32c", sum));
    LeanAnswer answer =
        send(
            "PUT",
            pathOf(request.bucket(), request.key()),
            signed,
            Map.of("content-length", "0"),
            patienceMillis);
    return accepted(answer, () -> sdk.putObject(request, RequestBody.empty()));
  }

  private static Map<String, String> signed(String token, long deadlineMillis) {
    Map<String, String> signed = new HashMap<>();
    signed.put(RdmaHeaders.TOKEN, token);
    signed.put(RdmaHeaders.DEADLINE_MILLIS, Long.toString(deadlineMillis));
    return signed;
  }

  private static String pathOf(String bucket, String key) {
    return '/' + bucket + '/' + SdkHttpUtils.urlEncodeIgnoreSlashes(key);
  }

  private LeanAnswer send(
      String method,
      String path,
      Map<String, String> signed,
      Map<String, String> unsigned,
      long patienceMillis) {
    Map<String, String> more = new HashMap<>(unsigned);
    more.put("user-agent", USER_AGENT);
    try {
      return http.send(method, path, signed, more, RdmaHeaders.UNSIGNED_PAYLOAD, patienceMillis);
    } catch (IOException e) {
      throw SdkClientException.create(method + " got no answer: " + e.getMessage(), e);
    }
  }

  private LeanAnswer accepted(LeanAnswer answer, java.util.function.Supplier<?> bySdk) {
    if (answer.isSuccess()) {
      return answer;
    }
    try (answer) {
      Object taken = replaying.replay(answer, bySdk);
      throw SdkClientException.create("the SDK took status " + answer.status() + " for " + taken);
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
