package io.s3rdma.server.http;

import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.handler.timeout.IdleStateHandler;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Admits a new connection and builds its pipeline; one a listener. */
final class ConnectionInitializer extends ChannelInitializer<SocketChannel> {
  private static final int CHUNK_BYTES_MAX = 64 * 1024;

  private final ServerContext context;
  private final ChannelGroup connections;
  private final Optional<TlsContext> tls;

  ConnectionInitializer(ServerContext context, ChannelGroup connections, Optional<TlsContext> tls) {
    this.context = context;
    this.connections = connections;
    this.tls = tls;
  }

  @Override
  protected void initChannel(SocketChannel channel) {
    int open = context.connections().incrementAndGet();
    channel.closeFuture().addListener(closed -> context.connections().decrementAndGet());
    HttpLimits limits = context.config().limits();
    if (open > limits.connectionsMax() || context.isStopping()) {
      var _ = channel.close();
      return;
    }
    connections.add(channel);
    ConnectionGuard guard = new ConnectionGuard(limits.headerTimeoutSeconds());
    int idle = limits.idleTimeoutSeconds();
    ChannelPipeline pipeline = channel.pipeline();
    tls.ifPresent(held -> pipeline.addLast(held.newHandler(channel.alloc())));
    pipeline
        .addLast(guard)
        .addLast(new IdleStateHandler(true, 0, 0, idle, TimeUnit.SECONDS))
        .addLast(new HttpServerCodec(decoder(limits)))
        .addLast(new FlowControlHandler())
        .addLast(new ConnectionHandler(context, guard));
  }

  private static HttpDecoderConfig decoder(HttpLimits limits) {
    return new HttpDecoderConfig()
        .setMaxInitialLineLength(limits.requestLineBytesMax())
        .setMaxHeaderSize(limits.headerBytesMax())
        .setMaxChunkSize(CHUNK_BYTES_MAX)
        .setAllowDuplicateContentLengths(false)
        .setStrictLineParsing(true)
        .setUseRfc9112TransferEncoding(true)
        .setValidateHeaders(true);
  }
}
