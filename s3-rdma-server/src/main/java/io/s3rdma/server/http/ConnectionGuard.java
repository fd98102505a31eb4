package io.s3rdma.server.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Closes a connection whose head does not become whole in time, however slowly its octets come.
 * Stands before the codec, since only there the first octet is seen.
 */
final class ConnectionGuard extends ChannelInboundHandlerAdapter {
  private final int timeoutSeconds;
  private final RequestObserver observer;
  private boolean awaitingHead = true;
  private boolean begun;
  private ScheduledFuture<?> deadline;

  ConnectionGuard(int timeoutSeconds, RequestObserver observer) {
    this.observer = observer;
    this.timeoutSeconds = timeoutSeconds;
  }

  /** The head is whole. */
  void headArrived() {
    awaitingHead = false;
    begun = false;
    stop();
  }

  /** The next octet begins a head. */
  void expectHead() {
    awaitingHead = true;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object msg) {
    begun |= awaitingHead;
    ctx.fireChannelRead(msg);
    // Most heads came whole with their first octet, and need no timer.
    if (begun && deadline == null && ctx.channel().isActive()) {
      deadline = ctx.executor().schedule(() -> expired(ctx), timeoutSeconds, TimeUnit.SECONDS);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    stop();
    ctx.fireChannelInactive();
  }

  private void expired(ChannelHandlerContext ctx) {
    deadline = null;
    if (begun) {
      observer.connectionTimedOut(RequestObserver.Timeout.HEAD);
      var _ = ctx.close();
    }
  }

  private void stop() {
    if (deadline != null) {
      deadline.cancel(false);
      deadline = null;
    }
  }
}
