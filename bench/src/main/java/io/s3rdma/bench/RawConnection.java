package io.s3rdma.bench;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Locale;

/** One keep-alive connection that throws bodies away. Not thread-safe. */
final class RawConnection implements AutoCloseable {
  private static final int BUFFER_BYTES = 65_536;
  private static final String HEAD_END = "\r\n\r\n";
  private static final String LENGTH = "\r\ncontent-length:";

  private final SocketChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);

  RawConnection(URI server) throws IOException {
    channel = SocketChannel.open(new InetSocketAddress(server.getHost(), server.getPort()));
  }

  /** Reads the whole answer; anything but 200 and the expected length is an error. */
  void get(URI url, long expected) throws IOException {
    send(head("GET", url, ""));
    answer(expected);
  }

  void put(URI url, byte[] body) throws IOException {
    send(head("PUT", url, "Content-Length: " + body.length + "\r\n"));
    for (int at = 0; at < body.length; at += BUFFER_BYTES) {
      send(ByteBuffer.wrap(body, at, Math.min(BUFFER_BYTES, body.length - at)));
    }
    answer(0);
  }

  private static ByteBuffer head(String method, URI url, String more) {
    String target = url.getRawPath() + "?" + url.getRawQuery();
    String head =
        method + " " + target + " HTTP/1.1\r\nHost: " + url.getAuthority() + "\r\n" + more + "\r\n";
    return Host.CHARSET.encode(head);
  }

  private void send(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  private void answer(long expected) throws IOException {
    String head = "";
    int end = -1;
    buffer.clear();
    while (end < 0) {
      read();
      head = Host.CHARSET.decode(buffer.duplicate().flip()).toString();
      end = head.indexOf(HEAD_END);
    }
    long length = length(head.substring(0, end + 2));
    if (!head.startsWith("HTTP/1.1 200 ") || length != expected) {
      throw new IOException("expected 200 with " + expected + " bytes, but got: " + head);
    }
    // A head is ASCII, so characters are bytes.
    long left = length - (buffer.position() - (end + HEAD_END.length()));
    while (left > 0) {
      buffer.clear();
      read();
      left -= buffer.position();
    }
  }

  private static long length(String head) {
    int at = head.toLowerCase(Locale.ROOT).indexOf(LENGTH);
    if (at < 0) {
      return -1;
    }
    int from = at + LENGTH.length();
    return Long.parseLong(head.substring(from, head.indexOf("\r\n", from)).trim());
  }

  private void read() throws IOException {
    if (channel.read(buffer) < 0) {
      throw new EOFException("the server closed the connection in the middle of an answer");
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
