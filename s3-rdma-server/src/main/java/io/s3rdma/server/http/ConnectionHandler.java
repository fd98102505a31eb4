package io.s3rdma.server.http;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection: one request at a time, answers in order.
 *
 * <pre>
 *   IDLE --head--> RUNNING --answer--> WRITING --last octet out--> IDLE
 *                                                  | body not read: DRAINING --end--> IDLE or close
 * </pre>
 *
 * <p>All state belongs to the event loop. The socket is read only on demand: the body up to its
 * buffer's mark, and behind the body one message more, which is the next request of a pipelining
 * client or the news that the client has gone. That message waits in {@code ahead}.
 */
final class ConnectionHandler extends ChannelInboundHandlerAdapter {
  private enum State {
    IDLE,
    RUNNING,
    WRITING,
    DRAINING,
    CLOSED
  }

  /** A stretch in which the same side owes bytes. */
  private record Phase(Exchange exchange, State state, long pauses) {}

  private static final Logger LOG = LoggerFactory.getLogger(ConnectionHandler.class);
  private static final long LINGER_MILLIS = 1000;
  private static final DefaultFullHttpResponse CONTINUE =
      new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE);

  private final ServerContext server;
  private final ConnectionGuard guard;
  private final Deque<Object> ahead = new ArrayDeque<>();
  private State state = State.IDLE;
  private Exchange exchange;
  private boolean keepAlive;
  private boolean bodyArrived;
  private boolean wanted;
  private long drained;
  private long pauses;
  private Outflow outflow = new Outflow();

  ConnectionHandler(ServerContext server, ConnectionGuard guard) {
    this.server = server;
    this.guard = guard;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    HttpLimits limits = server.config().limits();
    int seconds = limits.bodyRateWindowSeconds();
    long bytesMin = (long) limits.bodyBytesPerSecondMin() * seconds;
    if (bytesMin > 0) {
      RateWatch watch = new RateWatch(bytesMin);
      Future<?> ticks =
          ctx.executor()
              .scheduleAtFixedRate(() -> look(ctx, watch), seconds, seconds, TimeUnit.SECONDS);
      ctx.channel().closeFuture().addListener(closed -> ticks.cancel(false));
    }
    want(ctx);
  }

  /** Once a window: is the client slow to send its body, or to take its answer? */
  private void look(ChannelHandlerContext ctx, RateWatch watch) {
    boolean sending = state == State.DRAINING || (state == State.RUNNING && isBodyAwaited());
    if (state == State.WRITING) {
      if (watch.isTooSlow(new Phase(exchange, state, 0), outflow.moved(ctx.channel()))) {
        timedOut(ctx, RequestObserver.Timeout.ANSWER_TAKEN);
      }
    } else if (watch.isTooSlow(sending ? new Phase(exchange, state, pauses) : null, drained)) {
      timedOut(ctx, RequestObserver.Timeout.BODY);
    }
  }

  /** Not while we ourselves do not read, or have not said that we want it. */
  private boolean isBodyAwaited() {
    return wanted && !exchange.body().isEnded() && !exchange.waitsForContinue();
  }

  private void timedOut(ChannelHandlerContext ctx, RequestObserver.Timeout awaited) {
    server.observer().connectionTimedOut(awaited);
    if (state == State.RUNNING) {
      keepAlive = false;
      exchange.body().refuse(new S3Exception(S3ErrorCode.REQUEST_TIMEOUT));
    } else {
      close(ctx);
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object msg) {
    wanted = false;
    boolean busy = state != State.IDLE && exchange != null && exchange.body().isEnded();
    if (state == State.CLOSED) {
      ReferenceCountUtil.release(msg);
      want(ctx);
    } else if (busy) {
      ahead.add(msg);
    } else {
      accept(ctx, msg);
    }
  }

  /** The flow control forgets unmet reads here. */
  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    if (wanted) {
      ctx.read();
    }
  }

  /** Asks for one message; it counts calls, so never twice for the same. */
  private void want(ChannelHandlerContext ctx) {
    if (!wanted) {
      wanted = true;
      ctx.read();
    }
  }

  private void accept(ChannelHandlerContext ctx, Object msg) {
    if (msg instanceof HttpRequest request) {
      begin(ctx, request);
    } else if (msg instanceof HttpContent content) {
      content(ctx, content);
    } else {
      ReferenceCountUtil.release(msg);
    }
  }

  private void begin(ChannelHandlerContext ctx, HttpRequest request) {
    guard.headArrived();
    state = State.RUNNING;
    boolean known = request.protocolVersion().majorVersion() == 1;
    keepAlive = known && HttpUtil.isKeepAlive(request) && !server.isStopping();
    bodyArrived = false;
    drained = 0;
    Runnable requestMore = () -> ctx.executor().execute(() -> want(ctx));
    Runnable sendContinue = () -> ctx.executor().execute(() -> sendContinue(ctx));
    ConnectionBody body =
        new ConnectionBody(
            server.config().limits().bodyBufferBytes(),
            server.bodyMemory(),
            requestMore,
            sendContinue);
    exchange = new Exchange(server, ctx.channel(), request, body);
    if (request.decoderResult().isFailure()) {
      keepAlive = false;
      body.end();
      answer(ctx, exchange, exchange.refuse(refusalOf(request.decoderResult().cause())));
      return;
    }
    Exchange current = exchange;
    // Reads the body ahead, and notices a client that goes away (P-4.8).
    want(ctx);
    server.submit(
        current, response -> ctx.executor().execute(() -> answer(ctx, current, response)));
  }

  private void content(ChannelHandlerContext ctx, HttpContent content) {
    boolean last = content instanceof LastHttpContent;
    boolean broken = content.decoderResult().isFailure();
    bodyArrived = true;
    drained += content.content().readableBytes();
    if (exchange == null) {
      content.release();
      return;
    }
    ConnectionBody body = exchange.body();
    boolean readOn = body.offer(content.content());
    if (broken) {
      keepAlive = false;
      body.fail(new BadFramingException(content.decoderResult().cause()));
    } else if (last) {
      body.end();
    }
    if (state == State.DRAINING) {
      drain(ctx, last || broken);
    } else if (readOn) {
      want(ctx);
    } else {
      pauses++;
    }
  }

  private void answer(ChannelHandlerContext ctx, Exchange answered, S3Response response) {
    if (state != State.RUNNING || exchange != answered || !ctx.channel().isActive()) {
      response.discard();
      answered.body().abandon();
      answered.answering(response);
      answered.answered(0, false);
      return;
    }
    state = State.WRITING;
    outflow = new Outflow();
    exchange.answering(response);
    boolean unread = !exchange.body().isEnded();
    // A client that was refused instead of continued may or may not send the body: only a new
    // connection is unambiguous.
    boolean ambiguous =
        exchange.waitsForContinue() || exchange.bytesAnnounced() > server.keepBytesMax();
    if ((unread && ambiguous) || server.isStopping()) {
      keepAlive = false;
    }
    // Before the write, which may end at once and begin the next request.
    if (exchange.body().abandon()) {
      want(ctx);
    }
    boolean head = exchange.isHead();
    ChannelFuture written =
        ResponseWriter.write(
            ctx.channel(), response, head, keepAlive, exchange.requestId(), outflow);
    written.addListener((ChannelFutureListener) done -> answered(ctx, done));
  }

  private void answered(ChannelHandlerContext ctx, ChannelFuture done) {
    exchange.answered(outflow.done(), done.isSuccess());
    if (!done.isSuccess()) {
      close(ctx);
      return;
    }
    boolean bodyMayFollow = !exchange.waitsForContinue() || bodyArrived;
    if (!exchange.body().isEnded() && bodyMayFollow) {
      // The client must be able to read a refusal before it sees a reset.
      state = State.DRAINING;
      drain(ctx, false);
    } else {
      next(ctx);
    }
  }

  private void drain(ChannelHandlerContext ctx, boolean atEnd) {
    if (atEnd || exchange.body().isEnded()) {
      next(ctx);
    } else if (drained > server.config().limits().drainBytesMax()) {
      closeGently(ctx);
    } else {
      want(ctx);
    }
  }

  private void next(ChannelHandlerContext ctx) {
    if (!keepAlive || server.isStopping()) {
      closeGently(ctx);
      return;
    }
    state = State.IDLE;
    exchange = null;
    guard.expectHead();
    if (ahead.isEmpty()) {
      want(ctx);
    }
    while (!ahead.isEmpty() && (exchange == null || !exchange.body().isEnded())) {
      accept(ctx, ahead.poll());
    }
  }

  private void sendContinue(ChannelHandlerContext ctx) {
    if (state == State.RUNNING && exchange.waitsForContinue() && !bodyArrived) {
      exchange.continued();
      var _ = ctx.writeAndFlush(CONTINUE.retainedDuplicate());
      want(ctx);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    state = State.CLOSED;
    if (exchange != null) {
      exchange.connectionLost();
    }
    ahead.forEach(ReferenceCountUtil::release);
    ahead.clear();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    // Silence is the client's fault in every state but one: the operation itself takes long.
    boolean operating = state == State.RUNNING && !isBodyAwaited();
    if (event instanceof IdleStateEvent && !operating && state != State.CLOSED) {
      timedOut(ctx, awaited());
    } else if (event instanceof SslHandshakeCompletionEvent handshake
        && handshake.cause() instanceof SslHandshakeTimeoutException) {
      server.observer().connectionTimedOut(RequestObserver.Timeout.HANDSHAKE);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    LOG.debug("connection {}: {}", ctx.channel(), cause.toString());
    close(ctx);
  }

  private RequestObserver.Timeout awaited() {
    return switch (state) {
      case RUNNING, DRAINING -> RequestObserver.Timeout.BODY;
      case WRITING -> RequestObserver.Timeout.ANSWER_TAKEN;
      case IDLE, CLOSED -> RequestObserver.Timeout.NEXT_REQUEST;
    };
  }

  /**
   * Closing with octets unread resets the connection, and a reset can overtake the answer: says
   * that nothing more will come, and gives the client a moment to read and close.
   */
  private void closeGently(ChannelHandlerContext ctx) {
    state = State.CLOSED;
    var _ = ctx.executor().schedule(() -> close(ctx), LINGER_MILLIS, TimeUnit.MILLISECONDS);
    SslHandler tls = ctx.pipeline().get(SslHandler.class);
    if (tls != null) {
      var _ = tls.closeOutbound();
    } else if (ctx.channel() instanceof SocketChannel socket) {
      var _ = socket.shutdownOutput();
    }
    // What comes is dropped; the client's end closes at once.
    want(ctx);
  }

  private void close(ChannelHandlerContext ctx) {
    state = State.CLOSED;
    var _ = ctx.close();
  }

  /** Event loop: for the server's stop; a running request is left to end. */
  void closeIfIdle(ChannelHandlerContext ctx) {
    if (state == State.IDLE) {
      close(ctx);
    }
  }

  private static S3Exception refusalOf(Throwable cause) {
    if (cause instanceof TooLongHttpLineException) {
      return new S3Exception(S3ErrorCode.URI_TOO_LONG);
    }
    if (cause instanceof TooLongHttpHeaderException) {
      return new S3Exception(S3ErrorCode.REQUEST_HEADERS_TOO_LARGE);
    }
    return new S3Exception(S3ErrorCode.INVALID_REQUEST, "not an HTTP/1.1 request");
  }
}
