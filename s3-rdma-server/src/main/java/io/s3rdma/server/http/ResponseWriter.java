package io.s3rdma.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
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
    HttpResponse head =
        new DefaultHttpResponse(
            HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(response.status()));
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
      headers.set(HttpNames.CONTENT_LENGTH, response.body().length());
    }
    // Said both ways, since an HTTP/1.0 client would not assume it.
    headers.set(HttpNames.CONNECTION, keepAlive ? "keep-alive" : "close");
    var _ = channel.write(head);
    if (isHead || response.body().length() == 0) {
      response.discard();
      return channel.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);
    }
    return switch (response.body()) {
      case ResponseBody.None none -> channel.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);
      case ResponseBody.Bytes bytes -> {
        outflow.begin(bytes.length(), false);
        ByteBuf content = Unpooled.wrappedBuffer(bytes.content());
        yield channel
            .writeAndFlush(new DefaultLastHttpContent(content))
            .addListener(
                written -> {
                  if (written.isSuccess()) {
                    outflow.end();
                  }
                });
      }
      case ResponseBody.Content content ->
          ContentWriter.write(channel, content, outflow, requestId);
    };
  }
}
