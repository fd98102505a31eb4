package io.s3rdma.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultFileRegion;
import io.netty.channel.FileRegion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Puts the bytes of an object behind a head that is written already: one region after the other,
 * the next only when the one before is out, so that a slow client holds one file open and few
 * bytes. Event loop only.
 *
 * <p>A region that cannot be had fails the answer: its length is stated already, and the connection
 * must end rather than lie.
 */
final class ContentWriter {
  private static final Logger LOG = LoggerFactory.getLogger(ContentWriter.class);
  // The channel copies what is not direct memory, and TLS copies everything: all that it is given.
  private static final int COPIED_BYTES_MAX = 256 * 1024;

  private final Channel channel;
  private final ObjectContent content;
  private final Outflow outflow;
  private final String requestId;
  private final ChannelPromise done;
  private final long end;
  private final boolean encrypted;
  private long position;

  private ContentWriter(
      Channel channel, ResponseBody.Content body, Outflow outflow, String requestId) {
    this.outflow = outflow;
    this.requestId = requestId;
    this.channel = channel;
    this.content = body.content();
    this.done = channel.newPromise();
    this.encrypted = channel.pipeline().get(SslHandler.class) != null;
    this.position = body.offset();
    this.end = Math.addExact(body.offset(), body.length());
  }

  /** The content is closed before the returned future completes, however it does. */
  static ChannelFuture write(
      Channel channel, ResponseBody.Content body, Outflow outflow, String requestId) {
    ContentWriter writer = new ContentWriter(channel, body, outflow, requestId);
    writer.go(true);
    return writer.done;
  }

  private void next() {
    if (position == end) {
      Owners.close(content);
      var _ = channel.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT, done);
      return;
    }
    try {
      ObjectContent.Region region = content.region(position, end - position);
      if (region.length() < 1 || region.length() > end - position) {
        throw new IOException(
            "object content gave " + region.length() + " of " + (end - position) + " bytes");
      }
      long before = position;
      Object message = message(region);
      outflow.begin(position - before, message instanceof FileRegion);
      channel.writeAndFlush(message).addListener(this::written);
    } catch (IOException | RuntimeException e) {
      LOG.error("answer breaks off before byte {} of the object: {}", position, e.toString());
      fail(e);
    }
  }

  /** Takes the region, or as much of it as may be in memory at once. */
  private Object message(ObjectContent.Region region) throws IOException {
    return switch (region) {
      case ObjectContent.Region.OfFile file when encrypted -> {
        int count = (int) Math.min(file.length(), COPIED_BYTES_MAX);
        ByteBuf bytes = read(file, count);
        position += count;
        yield bytes;
      }
      case ObjectContent.Region.OfFile file -> {
        position += file.length();
        yield new BorrowedFileRegion(file.channel(), file.offset(), file.length());
      }
      case ObjectContent.Region.OfMemory memory -> {
        ByteBuffer bytes = memory.bytes();
        int count = Math.min(bytes.remaining(), COPIED_BYTES_MAX);
        position += count;
        yield Unpooled.wrappedBuffer(bytes.slice(bytes.position(), count));
      }
    };
  }

  /** There is no sendfile into a cipher. */
  private ByteBuf read(ObjectContent.Region.OfFile file, int count) throws IOException {
    ByteBuf bytes = channel.alloc().buffer(count, count);
    try {
      while (bytes.isWritable()) {
        long from = file.offset() + bytes.readableBytes();
        if (bytes.writeBytes(file.channel(), from, bytes.writableBytes()) < 0) {
          throw new EOFException("file ends before byte " + from);
        }
      }
      return bytes.retain();
    } finally {
      bytes.release();
    }
  }

  private void written(Future<? super Void> region) {
    if (region.isSuccess()) {
      outflow.end();
    }
    go(region.isSuccess());
  }

  /** Every line that is logged meanwhile says for whom. */
  private void go(boolean on) {
    try (var _ = MDC.putCloseable(ServerContext.REQUEST, requestId)) {
      if (on) {
        next();
      } else {
        fail(new ClosedChannelException());
      }
    }
  }

  private void fail(Throwable cause) {
    Owners.close(content);
    done.setFailure(cause);
  }

  /** Leaves the channel to the content, which may give further regions of it. */
  private static final class BorrowedFileRegion extends DefaultFileRegion {
    BorrowedFileRegion(FileChannel file, long offset, long length) {
      super(file, offset, length);
    }

    @Override
    protected void deallocate() {}
  }
}
