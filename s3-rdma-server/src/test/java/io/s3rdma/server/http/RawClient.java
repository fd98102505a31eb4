package io.s3rdma.server.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/** Writes octets as no well-behaved client would, and signs like one. */
public final class RawClient implements AutoCloseable {
  private static final String REGION = "us-east-1";

  private final Socket socket;
  private final InputStream in;
  private final int port;
  private String host;
  private final String accessKey;
  private final String secretKey;

  public RawClient(int port, String accessKey, String secretKey) throws IOException {
    this(new Socket(InetAddress.getLoopbackAddress(), port), accessKey, secretKey);
  }

  /** Over a connection that is there, which it owns. */
  public RawClient(Socket socket, String accessKey, String secretKey) throws IOException {
    this.socket = socket;
    this.socket.setSoTimeout(20_000);
    this.in = new BufferedInputStream(socket.getInputStream());
    this.port = socket.getPort();
    this.host = "localhost:" + port;
    this.accessKey = accessKey;
    this.secretKey = secretKey;
  }

  /** An answer; names in lower case. */
  public record Answer(int status, Headers headers, String body) {}

  public void send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
  }

  /** Sends a signed head; {@code headers} are signed too, {@code unsigned} are not. */
  public void sendHead(String method, String target, Headers headers, Headers unsigned)
      throws IOException {
    send(head(method, target, "UNSIGNED-PAYLOAD", headers, unsigned));
  }

  /** Names another host than {@code localhost:port} from now on. */
  public void nameHost(String name) {
    host = name;
  }

  public String head(
      String method, String target, String payload, Headers headers, Headers unsigned) {
    String stamp = SigV4.STAMP.format(Instant.now());
    String scope = stamp.substring(0, 8) + "/" + REGION + "/s3/aws4_request";
    Headers all =
        headers.with("host", host).with("x-amz-date", stamp).with("x-amz-content-sha256", payload);
    List<String> names = List.copyOf(new TreeSet<>(all.names()));
    RequestHead head = RequestHead.of(method, target, withoutTwins(all), null, "id");
    String hash = CanonicalRequest.sha256(head, CanonicalRequest.encodedPath(head), names, payload);
    byte[] key = Crypto.signingKey(secretKey, stamp.substring(0, 8), REGION, "s3");
    String toSign = String.join("\n", SigV4.ALGORITHM, stamp, scope, hash);
    StringBuilder out = new StringBuilder(method + " " + target + " HTTP/1.1\r\n");
    all.forEach((name, value) -> out.append(name).append(": ").append(value).append("\r\n"));
    unsigned.forEach((name, value) -> out.append(name).append(": ").append(value).append("\r\n"));
    out.append("Authorization: " + SigV4.ALGORITHM + " Credential=" + accessKey + "/" + scope)
        .append(", SignedHeaders=" + String.join(";", names))
        .append(", Signature=" + Crypto.hex(Crypto.hmac(key, toSign)))
        .append("\r\n\r\n");
    return out.toString();
  }

  /** A query that carries its signature. */
  public String presigned(String method, String path, int seconds) {
    String stamp = SigV4.STAMP.format(Instant.now());
    String scope = stamp.substring(0, 8) + "/" + REGION + "/s3/aws4_request";
    String target =
        path
            + "?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential="
            + UriCodec.encode(accessKey + "/" + scope, false)
            + "&X-Amz-Date="
            + stamp
            + "&X-Amz-Expires="
            + seconds
            + "&X-Amz-SignedHeaders=host";
    Headers headers = Headers.of("host", "127.0.0.1:" + port);
    RequestHead head = RequestHead.of(method, target, headers, null, "id");
    String encoded = CanonicalRequest.encodedPath(head);
    String hash = CanonicalRequest.sha256(head, encoded, List.of("host"), "UNSIGNED-PAYLOAD");
    byte[] key = Crypto.signingKey(secretKey, stamp.substring(0, 8), REGION, "s3");
    String toSign = String.join("\n", SigV4.ALGORITHM, stamp, scope, hash);
    return target + "&X-Amz-Signature=" + Crypto.hex(Crypto.hmac(key, toSign));
  }

  /** Reads one answer by its Content-Length; {@code hasBody} is false for HEAD. */
  public Answer receive(boolean hasBody) throws IOException {
    String[] first = line().split(" ", 3);
    Headers.Builder headers = Headers.builder();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      headers.add(line.substring(0, colon), line.substring(colon + 1).trim());
    }
    Headers built = headers.build();
    int length = hasBody ? Integer.parseInt(built.first("content-length").orElse("0")) : 0;
    String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
    return new Answer(Integer.parseInt(first[1]), built, body);
  }

  /** Reads one answer of 200 or 206 whose body is not text. */
  public byte[] receiveBytes() throws IOException {
    Answer answer = receive(false);
    int length = Integer.parseInt(answer.headers().first("content-length").orElse("0"));
    byte[] body = in.readNBytes(length);
    if (answer.status() / 100 != 2 || body.length != length) {
      throw new IOException(
          answer.status() + " ended after " + body.length + " bytes of " + length);
    }
    return body;
  }

  public Answer receive() throws IOException {
    return receive(true);
  }

  /** Reads bytes of a body whose head was received; how many there were. */
  public long skip(int bytes) throws IOException {
    return in.readNBytes(bytes).length;
  }

  /** Whether the server has ended the connection with nothing more to say. */
  public boolean isEnded() throws IOException {
    return in.read() < 0;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException("the server ended the connection");
      }
      line.write(c);
    }
    return line.toString(StandardCharsets.ISO_8859_1).trim();
  }

  /** What the server would refuse before it looks at the signature must be signable here. */
  private static Headers withoutTwins(Headers headers) {
    List<String> seen = new ArrayList<>();
    Headers.Builder kept = Headers.builder();
    headers.forEach(
        (name, value) -> {
          String lower = name.toLowerCase(Locale.ROOT);
          if (!seen.contains(lower)) {
            seen.add(lower);
            kept.add(name, value);
          }
        });
    return kept.build();
  }
}
