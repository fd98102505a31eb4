package io.s3rdma.client.transport;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A kept HTTP/1.1 connection: one request at a time, one write and mostly one read for each.
 *
 * <p>Threads: one call's at a time; {@link #closeIfOverdue} and {@link #close} from any thread,
 * which ends a running read. An interrupt ends it too.
 */
final class LeanConnection {
  private static final Logger LOG = LoggerFactory.getLogger(LeanConnection.class);
  private static final int BUFFER_BYTES = 8192;
  private static final int HEAD_BYTES_MAX = 1 << 16;

  private final SocketChannel channel;
  private byte[] octets = new byte[BUFFER_BYTES];
  private int from;
  private int to;
  private long idleSinceNanos = System.nanoTime();
  private volatile long deadlineNanos;
  private volatile boolean busy;
  private volatile boolean overdue;

  private LeanConnection(SocketChannel channel) {
    this.channel = channel;
  }

  /** Connects, which the kernel bounds; a watch that closes it bounds it further. */
  static LeanConnection open(InetSocketAddress server, int timeoutMillis) throws IOException {
    if (server.isUnresolved()) {
      throw new IOException("the host " + server.getHostString() + " is unknown");
    }
    SocketChannel channel = SocketChannel.open();
    boolean connected = false;
    try {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.socket().connect(server, timeoutMillis);
      connected = true;
      return new LeanConnection(channel);
    } finally {
      if (!connected) {
        channel.close();
      }
    }
  }

  void begin(long deadline) {
    deadlineNanos = deadline;
    overdue = false;
    busy = true;
  }

  void end() {
    busy = false;
    idleSinceNanos = System.nanoTime();
  }

  long idleNanos() {
    return System.nanoTime() - idleSinceNanos;
  }

  /** False if the server closed it, or said something that nobody asked for. */
  boolean isQuiet() {
    if (from != to) {
      return false;
    }
    try {
      channel.configureBlocking(false);
      int count = channel.read(ByteBuffer.allocate(1));
      channel.configureBlocking(true);
      return count == 0;
    } catch (IOException e) {
      return false;
    }
  }

  void write(byte[] request) throws IOException {
    ByteBuffer left = ByteBuffer.wrap(request);
    while (left.hasRemaining()) {
      channel.write(left);
    }
  }

  /** The final answer's head; interim ones are passed over. */
  LeanHead readHead() throws IOException {
    LeanHead head = readOneHead();
    while (head.isInterim()) {
      if (head.status() == 101) {
        throw new IOException("the server changes the protocol");
      }
      head = readOneHead();
    }
    return head;
  }

  private LeanHead readOneHead() throws IOException {
    int looked = from;
    int end = -1;
    while (end < 0) {
      end = endOfHead(looked);
      if (end < 0) {
        looked = Math.max(from, to - 3);
        int kept = looked - from;
        fill();
        looked = from + kept;
      }
    }
    LeanHead head =
        new LeanHead(from == 0 ? octets : Arrays.copyOfRange(octets, from, end), end - from);
    from = end;
    return head;
  }

  private int endOfHead(int at) {
    for (int i = at; i + 3 < to; i++) {
      if (octets[i] == '\r'
          && octets[i + 1] == '\n'
          && octets[i + 2] == '\r'
          && octets[i + 3] == '\n') {
        return i + 4;
      }
    }
    return -1;
  }

  /** Makes room behind what is there, and reads at least one octet. */
  private void fill() throws IOException {
    if (from > 0) {
      System.arraycopy(octets, from, octets, 0, to - from);
      to -= from;
      from = 0;
    }
    if (to == octets.length) {
      if (to >= HEAD_BYTES_MAX) {
        throw new IOException("the answer's head has more than " + HEAD_BYTES_MAX + " octets");
      }
      octets = Arrays.copyOf(octets, 2 * to);
    }
    int count = channel.read(ByteBuffer.wrap(octets, to, octets.length - to));
    if (count < 0) {
      throw new EOFException("the server closed the connection before its answer was whole");
    }
    to += count;
  }

  /** One octet of a body's framing. */
  int readOctet() throws IOException {
    if (from == to) {
      fill();
    }
    return octets[from++] & 0xff;
  }

  /** At least one octet, or -1 at the end of the connection. */
  int read(byte[] target, int offset, int length) throws IOException {
    if (from < to) {
      int count = Math.min(length, to - from);
      System.arraycopy(octets, from, target, offset, count);
      from += count;
      return count;
    }
    return channel.read(ByteBuffer.wrap(target, offset, length));
  }

  /** For the watch. */
  void closeIfOverdue(long nowNanos) {
    if (busy && nowNanos - deadlineNanos > 0) {
      overdue = true;
      close();
    }
  }

  boolean isOverdue() {
    return overdue;
  }

  void close() {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.debug("close of an HTTP connection: {}", e.getMessage());
    }
  }
}
