package io.s3rdma.server.http;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.ssl.SslHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** One request with its answer, as the connection sees it. */
final class Exchange {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();
  private static final int LENGTH_DIGITS_MAX = 18;

  private final ServerContext server;
  private final HttpRequest request;
  private final Headers headers;
  private final InetAddress remote;
  private final InetAddress local;
  private final boolean isSecure;
  private final ConnectionBody body;
  private final CancelSignal cancel = new CancelSignal();
  private final String requestId = HEX.toHexDigits(ThreadLocalRandom.current().nextLong());
  private final long startedNanos = System.nanoTime();
  private final long bytesAnnounced;
  private boolean continuePending;
  private S3Response response;

  Exchange(ServerContext server, Channel channel, HttpRequest request, ConnectionBody body) {
    this.server = server;
    this.request = request;
    this.body = body;
    this.remote = ipOf(channel.remoteAddress());
    this.local = ipOf(channel.localAddress());
    this.isSecure = channel.pipeline().get(SslHandler.class) != null;
    Headers.Builder builder = Headers.builder();
    for (Map.Entry<String, String> entry : request.headers()) {
      builder.add(entry.getKey(), entry.getValue());
    }
    this.headers = builder.build();
    this.bytesAnnounced = announcedBy(headers);
    this.continuePending =
        // HTTP/1.0 knows no 100, and an empty body is not waited for.
        request.protocolVersion().minorVersion() > 0
            && bytesAnnounced > 0
            && headers.first(HttpNames.EXPECT).map("100-continue"::equalsIgnoreCase).orElse(false);
  }

  private static InetAddress ipOf(SocketAddress address) {
    return address instanceof InetSocketAddress inet ? inet.getAddress() : null;
  }

  /** Operation thread. */
  S3Response run(RequestProcessor processor) {
    RequestHead head;
    try {
      requireFraming();
      head =
          RequestHead.of(
                  request.method().name(),
                  request.uri(),
                  headers,
                  remote,
                  requestId,
                  server.virtualHosts())
              .at(local, isSecure);
      if (head.contentLength() < 0 && headers.contains(HttpNames.CONTENT_LENGTH)) {
        throw new S3Exception(S3ErrorCode.INVALID_REQUEST, "bad content-length");
      }
    } catch (S3Exception e) {
      return refuse(e);
    }
    return processor.process(head, body, cancel);
  }

  private void requireFraming() {
    if (request.protocolVersion().majorVersion() != 1) {
      throw new S3Exception(S3ErrorCode.INVALID_REQUEST, "HTTP/1.0 or HTTP/1.1 is needed");
    }
    if (request.protocolVersion().minorVersion() > 0 && !headers.contains(HttpNames.HOST)) {
      throw new S3Exception(S3ErrorCode.INVALID_REQUEST, "the header Host is missing");
    }
  }

  S3Response refuse(S3Exception refusal) {
    return ErrorEncoder.encode(refusal, request.uri(), requestId);
  }

  ConnectionBody body() {
    return body;
  }

  String requestId() {
    return requestId;
  }

  boolean isHead() {
    return "HEAD".equals(request.method().name());
  }

  boolean waitsForContinue() {
    return continuePending;
  }

  void continued() {
    continuePending = false;
  }

  /** What the head says of the body's size; unknown counts as endless. */
  long bytesAnnounced() {
    return bytesAnnounced;
  }

  private static long announcedBy(Headers headers) {
    Optional<String> length = headers.first(HttpNames.CONTENT_LENGTH);
    if (length.isEmpty()) {
      return headers.contains(HttpNames.TRANSFER_ENCODING) ? Long.MAX_VALUE : 0;
    }
    String text = length.get();
    boolean number = !text.isEmpty() && text.length() <= LENGTH_DIGITS_MAX && isDigits(text);
    return number ? Long.parseLong(text) : Long.MAX_VALUE;
  }

  private static boolean isDigits(String text) {
    return text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  void answering(S3Response answer) {
    response = answer;
  }

  /** The last octet is out, or will never be; {@code sent} of the answer's body are. */
  void answered(long sent, boolean whole) {
    if (response == null) {
      return;
    }
    boolean byBody = response.transport().equals(S3Response.HTTP);
    boolean into = "PUT".equals(request.method().name());
    long moved = response.transportBytes();
    long in = byBody ? body.consumed() : into ? moved : 0;
    long out = byBody ? sent : into ? 0 : moved;
    RequestObserver.Answered answered =
        new RequestObserver.Answered(
            request.method().name(),
            response.status(),
            response.transport(),
            in,
            out,
            System.nanoTime() - startedNanos);
    server.observer().answered(answered);
    AccessLog.write(remote, request, requestId, answered, whole);
  }

  void connectionLost() {
    // First, so that whoever the failure wakes finds the reason.
    cancel.cancel();
    body.fail(new ClosedChannelException());
  }
}
