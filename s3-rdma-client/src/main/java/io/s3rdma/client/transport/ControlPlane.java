package io.s3rdma.client.transport;

import io.s3rdma.rdma.wire.RdmaHeaders;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpFullRequest;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;

/** Signed requests about connections (P-2.1, P-2.3, P-2.10, P-2.11). Thread-safe. */
final class ControlPlane {
  private static final int ERROR_TEXT_MAX = 4096;

  private final TransportConfig config;
  private final SdkHttpClient http;
  private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();

  ControlPlane(TransportConfig config, SdkHttpClient http) {
    this.config = config;
    this.http = http;
  }

  /** A 2xx answer's headers; anything else is an exception with what the server said. */
  SdkHttpResponse connect(Map<String, String> headers) {
    return post(RdmaHeaders.CONNECT_PATH, headers);
  }

  /** Has the server write its nonce. */
  void challenge(String session) {
    post(RdmaHeaders.CHALLENGE_PATH, Map.of(RdmaHeaders.SESSION, session));
  }

  /** Tells it. */
  void confirm(String session, String nonce) {
    post(RdmaHeaders.CONFIRM_PATH, Map.of(RdmaHeaders.SESSION, session, RdmaHeaders.PROOF, nonce));
  }

  void disconnect(String session) {
    post(RdmaHeaders.DISCONNECT_PATH, Map.of(RdmaHeaders.SESSION, session));
  }

  private SdkHttpResponse post(String path, Map<String, String> headers) {
    URI endpoint = config.endpoint();
    SdkHttpFullRequest.Builder request =
        SdkHttpFullRequest.builder()
            .method(SdkHttpMethod.POST)
            .uri(endpoint)
            .encodedPath(path)
            .putHeader("Content-Length", "0");
    headers.forEach(request::putHeader);
    AwsCredentials credentials = config.credentials().resolveCredentials();
    SdkHttpRequest signed =
        signer
            .sign(
                r ->
                    r.identity(credentials)
                        .request(request.build())
                        .putProperty(AwsV4FamilyHttpSigner.SERVICE_SIGNING_NAME, "s3")
                        .putProperty(AwsV4HttpSigner.REGION_NAME, config.region())
                        .putProperty(AwsV4FamilyHttpSigner.DOUBLE_URL_ENCODE, false)
                        .putProperty(AwsV4FamilyHttpSigner.NORMALIZE_PATH, false))
            .request();
    return execute(path, signed);
  }

  private SdkHttpResponse execute(String path, SdkHttpRequest signed) {
    ExecutableHttpRequest call =
        http.prepareRequest(HttpExecuteRequest.builder().request(signed).build());
    try {
      HttpExecuteResponse response = call.call();
      SdkHttpResponse head = response.httpResponse();
      String body = body(response);
      if (!head.isSuccessful()) {
        throw new TransportException(
            "POST " + path + " answered " + head.statusCode() + " " + errorOf(body));
      }
      return head;
    } catch (IOException e) {
      throw new TransportException("POST " + path + " got no answer: " + e.getMessage(), e);
    }
  }

  private static String body(HttpExecuteResponse response) throws IOException {
    if (response.responseBody().isEmpty()) {
      return "";
    }
    try (InputStream in = response.responseBody().get()) {
      String text = new String(in.readNBytes(ERROR_TEXT_MAX), StandardCharsets.UTF_8);
      in.skip(Long.MAX_VALUE);
      return text;
    }
  }

  /** Code and message of an S3 error document, for people; a foreign body is quoted short. */
  private static String errorOf(String body) {
    String code = between(body, "<Code>", "</Code>");
    String message = between(body, "<Message>", "</Message>");
    return code.isEmpty() ? body.substring(0, Math.min(80, body.length())) : code + ": " + message;
  }

  private static String between(String text, String from, String to) {
    int start = text.indexOf(from);
    int end = text.indexOf(to);
    return start < 0 || end < start ? "" : text.substring(start + from.length(), end);
  }
}
