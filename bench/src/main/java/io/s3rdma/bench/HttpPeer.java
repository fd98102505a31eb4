package io.s3rdma.bench;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A server under load, with all its processes, and where its objects are read. */
final class HttpPeer implements AutoCloseable {
  static final String HOST = "127.0.0.1";
  private static final int START_SECONDS = 60;
  private static final int TRY_PAUSE_MILLIS = 100;
  private static final int STOP_SECONDS = 30;

  private final String name;
  private final Process process;
  private final Map<Long, URI> urls;

  /**
   * @param urls of the object of each size; readable as they stand
   */
  HttpPeer(String name, Process process, Map<Long, URI> urls) {
    this.name = name;
    this.process = process;
    this.urls = Map.copyOf(urls);
  }

  /** Starts a process and waits until something listens at its port of the loopback. */
  static Process start(List<String> command, int port, Path log) throws IOException {
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    long end = System.nanoTime() + Duration.ofSeconds(START_SECONDS).toNanos();
    while (!listens(port)) {
      if (!process.isAlive() || System.nanoTime() > end) {
        process.destroyForcibly();
        throw new IOException(command.getFirst() + " did not start: " + Files.readString(log));
      }
      pause();
    }
    return process;
  }

  private static boolean listens(int port) throws IOException {
    try (SocketChannel channel = SocketChannel.open(loopback(port))) {
      return channel.isConnected();
    } catch (ConnectException e) {
      return false;
    }
  }

  private static InetSocketAddress loopback(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  private static void pause() throws IOException {
    try {
      TimeUnit.MILLISECONDS.sleep(TRY_PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a server started", e);
    }
  }

  /** Free at the time of asking. */
  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(loopback(0));
      return socket.getLocalPort();
    }
  }

  String name() {
    return name;
  }

  URI url(long size) {
    return urls.get(size);
  }

  /** User and system time of the process and its children since their start; ticks of 10 ms. */
  double cpuSeconds() {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants())
        .map(handle -> handle.info().totalCpuDuration().orElse(Duration.ZERO))
        .mapToDouble(time -> time.toNanos() / 1e9)
        .sum();
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
