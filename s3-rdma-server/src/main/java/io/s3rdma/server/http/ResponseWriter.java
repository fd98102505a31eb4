package io.s3rdma.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.time.Instant;

/** Puts an answer onto the channel. Event loop only. */
final class ResponseWriter {
  private static final String SERVER = "s3rdma";

  private ResponseWriter() {}

  /** The returned future completes when the last octet is out; the answer's content is closed. */
  static ChannelFuture write(
      Channel channel,
      S3Response response,
      boolean isHead,
      boolean keepAlive,
      String requestId,
      Outflow outflow) {
    ResponseBody body = response.body();
    boolean alone = isHead || body.length() == 0 || body instanceof ResponseBody.None;
    HttpResponseStatus status = HttpResponseStatus.valueOf(response.status());
    // What has no body, or one in memory, is one message and so one write.
    HttpResponse head =
        body instanceof ResponseBody.Content && !alone
            ? new DefaultHttpResponse(HttpVersion.HTTP_1_1, status)
            : new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, status, alone ? Unpooled.EMPTY_BUFFER : content(body));
    HttpHeaders headers = head.headers();
    try {
      response.headers().forEach(headers::add);
    } catch (IllegalArgumentException e) {
      response.discard();
      return channel.newFailedFuture(e);
    }
    headers.set(HttpNames.DATE, HttpDates.format(Instant.now()));
    headers.set(HttpNames.SERVER, SERVER);
    headers.set(HttpNames.AMZ_REQUEST_ID, requestId);
    if (response.status() != 304 && response.status() != 204) {
      // Every answer has a length: some clients do not read until the end of the stream.
      headers.set(HttpNames.CONTENT_LENGTH, body.length());
    }
    // Said both ways, since an HTTP/1.0 client would not assume it.
    headers.set(HttpNames.CONNECTION, keepAlive ? "keep-alive" : "close");
    if (alone) {
      response.discard();
      return channel.writeAndFlush(head);
    }
    if (body instanceof ResponseBody.Content content) {
      var _ = channel.write(head);
      return ContentWriter.write(channel, content, outflow, requestId);
    }
    outflow.begin(body.length(), false);
    return channel
        .writeAndFlush(head)
        .addListener(
            written -> {
              if (written.isSuccess()) {
                outflow.end();
              }
            });
  }

  private static ByteBuf content(ResponseBody body) {
    return body instanceof ResponseBody.Bytes bytes
        ? Unpooled.wrappedBuffer(bytes.content())
        : Unpooled.EMPTY_BUFFER;
  }
}
