package io.s3rdma.server.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP and HTTPS listeners. Event loops move octets; operations run on a bounded pool of
 * platform threads. Stop order: refuse new connections, let running requests end within a bound,
 * cancel the rest, then end the threads.
 */
public final class HttpServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);
  private static final int INTERRUPTED_SECONDS = 5;

  private final HttpConfig config;
  private final ServerContext context;
  private final OperationThreads operations;
  private final EventLoopGroup loops;
  private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private final TreeMap<String, Channel> listeners = new TreeMap<>(); // "http" before "https"

  /**
   * {@code refusals} says what an exception of an operation means to the client; it gets every
   * exception that is not an {@link S3Exception}.
   */
  public HttpServer(
      HttpConfig config,
      Authority authority,
      Router router,
      FormRules forms,
      Function<Exception, S3Exception> refusals,
      CorsPolicy cors,
      RequestObserver observer) {
    this.config = config;
    RequestProcessor processor =
        new RequestProcessor(authority, Clock.systemUTC(), router, forms, refusals, cors);
    this.operations = new OperationThreads(config.operationThreads(), config.operationQueueMax());
    this.context = new ServerContext(config, processor, observer, operations);
    this.loops =
        new MultiThreadIoEventLoopGroup(
            config.eventLoopThreads(),
            new DefaultThreadFactory("s3-io"),
            NioIoHandler.newFactory());
  }

  /** The same where all keys are one account and no bucket has CORS rules. */
  public HttpServer(
      HttpConfig config,
      String region,
      Credentials credentials,
      Router router,
      Function<Exception, S3Exception> refusals,
      RequestObserver observer) {
    this(
        config,
        new Authority(region, credentials, AccessPolicy.NONE, false),
        router,
        new FormRules(tags -> tags, false),
        refusals,
        CorsPolicy.NONE,
        observer);
  }

  /**
   * Binds what is configured; the address is that of plain HTTP, or of HTTPS where there is no
   * plain HTTP, and tells the port that the configuration left open.
   */
  public synchronized InetSocketAddress start() throws IOException {
    if (config.port() != HttpConfig.OFF) {
      listen("http", config.port(), Optional.empty());
    }
    if (config.tls().isPresent()) {
      TlsConfig tls = config.tls().get();
      listen("https", tls.port(), Optional.of(new TlsContext(tls)));
    }
    return (InetSocketAddress) listeners.firstEntry().getValue().localAddress();
  }

  /** Scheme to address of what listens, plain HTTP first. */
  public synchronized Map<String, InetSocketAddress> addresses() {
    Map<String, InetSocketAddress> addresses = new LinkedHashMap<>();
    listeners.forEach(
        (scheme, channel) -> addresses.put(scheme, (InetSocketAddress) channel.localAddress()));
    return addresses;
  }

  private void listen(String scheme, int port, Optional<TlsContext> tls) throws IOException {
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(loops)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, 1024)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.AUTO_READ, false)
            .childHandler(new ConnectionInitializer(context, connections, tls));
    InetSocketAddress wanted = new InetSocketAddress(config.host(), port);
    if (wanted.isUnresolved()) {
      throw new IOException("listen on " + wanted + ": the host name is unknown");
    }
    var bound = bootstrap.bind(wanted).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new IOException(
          "listen on " + wanted + ": " + bound.cause().getMessage() + "; is the port free?",
          bound.cause());
    }
    listeners.put(scheme, bound.channel());
  }

  /** Arrived and not yet read, all connections together. */
  long bodyBytesHeld() {
    return context.bodyMemory().bytes();
  }

  /** Idempotent. */
  @Override
  public synchronized void close() {
    context.stop();
    listeners.values().forEach(listener -> listener.close().awaitUninterruptibly());
    listeners.clear();
    connections.forEach(HttpServer::closeIfIdle);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(config.stopTimeoutSeconds());
    awaitEmpty(deadline);
    connections.close().awaitUninterruptibly();
    operations.shutdown();
    awaitTermination(deadline);
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private void awaitEmpty(long deadline) {
    while (!connections.isEmpty() && System.nanoTime() < deadline) {
      try {
        Thread.sleep(5);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void awaitTermination(long deadline) {
    try {
      long left = Math.max(TimeUnit.SECONDS.toNanos(1), deadline - System.nanoTime());
      if (!operations.awaitTermination(left)) {
        operations.shutdownNow();
        if (!operations.awaitTermination(TimeUnit.SECONDS.toNanos(INTERRUPTED_SECONDS))) {
          LOG.warn("{} requests do not end; they are left behind", context.running());
        }
      }
    } catch (InterruptedException e) {
      operations.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  private static void closeIfIdle(Channel channel) {
    ConnectionHandler handler = channel.pipeline().get(ConnectionHandler.class);
    ChannelHandlerContext ctx = channel.pipeline().context(ConnectionHandler.class);
    if (handler != null && ctx != null) {
      ctx.executor().execute(() -> handler.closeIfIdle(ctx));
    }
  }
}
