package io.s3rdma.server.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;

/** How much of an answer's body the socket has taken. Event loop only. */
final class Outflow {
  private long done;
  private long length;
  private boolean file;

  /** A message is on its way; the one before is out. */
  void begin(long messageBytes, boolean isFile) {
    length = messageBytes;
    file = isFile;
  }

  /** It is out. */
  void end() {
    done += length;
    length = 0;
  }

  /** Without what of the message in hand may have gone out. */
  long done() {
    return done;
  }

  /** As exactly as the channel knows; a file's bytes are no pending bytes to it. */
  long moved(Channel channel) {
    ChannelOutboundBuffer pending = channel.unsafe().outboundBuffer();
    if (pending == null || length == 0) {
      return done;
    }
    long whole = file ? 0 : Math.max(0, length - pending.totalPendingWriteBytes());
    return done + whole + pending.currentProgress();
  }
}
