package io.s3rdma.client.transport;

import io.s3rdma.rdma.RailFinder;
import io.s3rdma.rdma.wire.EndpointToken;
import io.s3rdma.rdma.wire.Gid;
import io.s3rdma.rdma.wire.RdmaHeaders;
import io.s3rdma.rdma.wire.RemoteDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpFullRequest;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;

/** A client that sends whatever a test wants, signed or not, and opens connections of its own. */
public final class RawPeer implements AutoCloseable {
  private final URI endpoint;
  private final String accessKey;
  private final String secretKey;
  private final SdkHttpClient http = Apache5HttpClient.builder().build();
  private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();
  private RdmaTransport transport;

  public RawPeer(URI endpoint, String accessKey, String secretKey) {
    this.endpoint = endpoint;
    this.accessKey = accessKey;
    this.secretKey = secretKey;
  }

  /** An answer. */
  public record Answer(int status, Map<String, List<String>> headers, String body) {
    public Optional<String> header(String name) {
      return headers.containsKey(name) ? Optional.of(headers.get(name).get(0)) : Optional.empty();
    }

    /** Code of an S3 error document, or an empty text. */
    public String code() {
      int from = body.indexOf("<Code>");
      return from < 0 ? "" : body.substring(from + 6, body.indexOf("</Code>"));
    }
  }

  /** A real connection of this peer. */
  public RdmaTransport transport() {
    if (transport == null) {
      transport =
          RdmaTransport.open(
              new TransportConfig(
                  endpoint,
                  "us-east-1",
                  StaticCredentialsProvider.create(
                      AwsBasicCredentials.create(accessKey, secretKey)),
                  Optional.empty(),
                  1,
                  Optional.empty(),
                  16,
                  240,
                  2000,
                  14,
                  6,
                  1),
              http);
    }
    return transport;
  }

  /** An endpoint of the lane's rail with this region, and a queue pair number that nobody has. */
  public String endpointToken(RemoteDescriptor region) {
    Gid gid =
        RailFinder.find(Optional.empty(), 1, Optional.empty()).rail().orElseThrow().gid().gid();
    return new EndpointToken(
            EndpointToken.Transport.RC,
            0xabcde,
            gid,
            region.rkey(),
            region.address(),
            region.sizeBytes(),
            1,
            0)
        .encode();
  }

  /** Sends a signed request with a token. */
  public Answer withToken(String method, String path, String token) throws IOException {
    return send(method, path, Map.of(RdmaHeaders.TOKEN, token), Map.of(), new byte[0]);
  }

  /**
   * Sends a request; the path may have a query, whose values need no encoding.
   *
   * @param signed headers under the signature
   * @param unsigned headers added after it
   */
  public Answer send(
      String method,
      String path,
      Map<String, String> signed,
      Map<String, String> unsigned,
      byte[] body)
      throws IOException {
    SdkHttpRequest ready = sign(method, path, signed, body);
    SdkHttpRequest.Builder last = ready.toBuilder();
    unsigned.forEach(last::putHeader);
    HttpExecuteRequest.Builder call = HttpExecuteRequest.builder().request(last.build());
    if (body.length > 0) {
      call.contentStreamProvider(() -> new java.io.ByteArrayInputStream(body));
    }
    return execute(call.build());
  }

  /** Sends the head of a signed request on a socket of its own, which the caller closes. */
  public Socket half(String method, String path, Map<String, String> signed) throws IOException {
    SdkHttpRequest ready = sign(method, path, signed, new byte[0]);
    StringBuilder head = new StringBuilder(method + " " + path + " HTTP/1.1\r\n");
    ready.forEachHeader(
        (name, values) -> values.forEach(v -> head.append(name + ": " + v + "\r\n")));
    Socket socket = new Socket(endpoint.getHost(), endpoint.getPort());
    socket.getOutputStream().write((head + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
    return socket;
  }

  private SdkHttpRequest sign(String method, String path, Map<String, String> signed, byte[] body) {
    int question = path.indexOf('?');
    SdkHttpFullRequest.Builder request =
        SdkHttpFullRequest.builder()
            .method(SdkHttpMethod.fromValue(method))
            .uri(endpoint)
            .encodedPath(question < 0 ? path : path.substring(0, question));
    if (question >= 0) {
      for (String pair : path.substring(question + 1).split("&", -1)) {
        int equals = pair.indexOf('=');
        request.putRawQueryParameter(
            equals < 0 ? pair : pair.substring(0, equals),
            equals < 0 ? "" : pair.substring(equals + 1));
      }
    }
    if (method.equals("PUT") || method.equals("POST")) {
      request.putHeader("Content-Length", Integer.toString(body.length));
    }
    signed.forEach(request::putHeader);
    return signer
        .sign(
            r ->
                r.identity(AwsBasicCredentials.create(accessKey, secretKey))
                    .request(request.build())
                    .payload(() -> new java.io.ByteArrayInputStream(body))
                    .putProperty(AwsV4FamilyHttpSigner.SERVICE_SIGNING_NAME, "s3")
                    .putProperty(AwsV4HttpSigner.REGION_NAME, "us-east-1")
                    .putProperty(AwsV4FamilyHttpSigner.DOUBLE_URL_ENCODE, false)
                    .putProperty(AwsV4FamilyHttpSigner.NORMALIZE_PATH, false))
        .request();
  }

  private Answer execute(HttpExecuteRequest call) throws IOException {
    HttpExecuteResponse response = http.prepareRequest(call).call();
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.putAll(response.httpResponse().headers());
    byte[] content = new byte[0];
    if (response.responseBody().isPresent()) {
      try (InputStream in = response.responseBody().get()) {
        content = in.readAllBytes();
      }
    }
    return new Answer(
        response.httpResponse().statusCode(),
        headers,
        new String(content, StandardCharsets.ISO_8859_1));
  }

  @Override
  public void close() {
    if (transport != null) {
      transport.close();
    }
    http.close();
  }
}
