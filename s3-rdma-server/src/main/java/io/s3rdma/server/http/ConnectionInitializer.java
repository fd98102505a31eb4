package io.s3rdma.server.http;

import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.handler.timeout.IdleStateHandler;
import java.net.InetAddress;
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
    RequestObserver observer = context.observer();
    Optional<RequestObserver.Refusal> refusal = admit(channel);
    if (refusal.isPresent()) {
      observer.connectionRefused(refusal.get());
      var _ = channel.close();
      return;
    }
    observer.connectionOpened();
    channel.closeFuture().addListener(closed -> observer.connectionClosed());
    HttpLimits limits = context.config().limits();
    connections.add(channel);
    ConnectionGuard guard = new ConnectionGuard(limits.headerTimeoutSeconds(), observer);
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

  private Optional<RequestObserver.Refusal> admit(SocketChannel channel) {
    if (context.isStopping() || channel.remoteAddress() == null) {
      return Optional.of(RequestObserver.Refusal.STOPPING);
    }
    InetAddress remote = channel.remoteAddress().getAddress();
    Optional<RequestObserver.Refusal> refusal = context.connections().admit(remote);
    if (refusal.isEmpty()) {
      channel.closeFuture().addListener(closed -> context.connections().leave(remote));
    }
    return refusal;
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
