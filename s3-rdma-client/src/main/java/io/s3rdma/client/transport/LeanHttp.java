package io.s3rdma.client.transport;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;

/**
 * Signed requests without a body over kept HTTP/1.1 connections: what a request with a token needs,
 * without the SDK's machinery, which costs several times as much as all the rest of a small
 * transfer. Makes one attempt; whoever calls repeats.
 *
 * <p>Threads: any; a connection has one call. One daemon thread looks after calls whose patience
 * ends, so that a read needs no timer of its own. Close order: the thread, then every connection.
 */
public final class LeanHttp implements AutoCloseable {
  private static final int CONNECT_TIMEOUT_MILLIS = 5_000;
  private static final long WATCH_MILLIS = 250;
  // A server closes what is idle for a minute or less; one that has just done so is seen by a look.
  private static final long IDLE_MAX_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long LOOK_AFTER_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final InetSocketAddress unresolved;
  private final String host;
  private final LeanSigner signer;
  private final AwsCredentialsProvider credentials;
  private final int idleMax;
  private final Deque<LeanConnection> idle = new ArrayDeque<>();
  private final Set<LeanConnection> open = ConcurrentHashMap.newKeySet();
  private Thread watch;
  private boolean closed;

  /**
   * Connects at the first call.
   *
   * @param endpoint of scheme http
   * @param idleMax connections kept
   */
  public LeanHttp(URI endpoint, String region, AwsCredentialsProvider credentials, int idleMax) {
    boolean standardPort = endpoint.getPort() < 0 || endpoint.getPort() == 80;
    this.unresolved =
        InetSocketAddress.createUnresolved(
            endpoint.getHost(), endpoint.getPort() < 0 ? 80 : endpoint.getPort());
    this.host = standardPort ? endpoint.getHost() : endpoint.getHost() + ":" + endpoint.getPort();
    this.signer = new LeanSigner(region);
    this.credentials = credentials;
    this.idleMax = idleMax;
  }

  /**
   * One attempt.
   *
   * @param encodedPath percent-encoded
   * @param signed more headers, lower-case names and plain values; all are signed
   * @param payloadHash for {@code x-amz-content-sha256}
   * @param patienceMillis from now to the body's last octet
   * @throws IOException if no whole head came; what the server did is unknown then
   */
  public LeanAnswer send(
      String method,
      String encodedPath,
      Map<String, String> signed,
      Map<String, String> unsigned,
      String payloadHash,
      long patienceMillis)
      throws IOException {
    SortedMap<String, String> headers = new TreeMap<>(signed);
    headers.put("host", host);
    signer.sign(
        method, encodedPath, headers, payloadHash, credentials.resolveCredentials(), Instant.now());
    headers.putAll(unsigned);
    byte[] request = octets(method, encodedPath, headers);
    LeanConnection connection = acquire();
    boolean answered = false;
    try {
      connection.begin(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis));
      connection.write(request);
      LeanAnswer answer = new LeanAnswer(this, connection, connection.readHead());
      answered = true;
      return answer;
    } catch (IOException e) {
      throw connection.isOverdue()
          ? new IOException("nothing came within " + patienceMillis + " ms", e)
          : e;
    } finally {
      if (!answered) {
        drop(connection);
      }
    }
  }

  private static byte[] octets(String method, String path, Map<String, String> headers) {
    StringBuilder out = new StringBuilder(1024);
    out.append(method).append(' ').append(path).append(" HTTP/1.1\r\n");
    headers.forEach((name, value) -> out.append(name).append(": ").append(value).append("\r\n"));
    return out.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  /** The most recently used one that is still good, or a new one. */
  private LeanConnection acquire() throws IOException {
    for (LeanConnection kept = poll(); kept != null; kept = poll()) {
      long nanos = kept.idleNanos();
      if (nanos < LOOK_AFTER_NANOS || (nanos < IDLE_MAX_NANOS && kept.isQuiet())) {
        return kept;
      }
      drop(kept);
    }
    // Resolved each time: names move.
    InetSocketAddress server =
        new InetSocketAddress(unresolved.getHostString(), unresolved.getPort());
    LeanConnection fresh = LeanConnection.open(server, CONNECT_TIMEOUT_MILLIS);
    synchronized (this) {
      if (closed) {
        fresh.close();
        throw new IOException("the client is closed");
      }
      open.add(fresh);
      if (watch == null) {
        watch = Thread.ofPlatform().daemon().name("s3rdma-http-watch").start(this::watch);
      }
    }
    return fresh;
  }

  private synchronized LeanConnection poll() {
    return idle.poll();
  }

  void giveBack(LeanConnection connection) {
    connection.end();
    boolean kept;
    synchronized (this) {
      kept = !closed && idle.size() < idleMax;
      if (kept) {
        idle.push(connection);
      }
    }
    if (!kept) {
      drop(connection);
    }
  }

  void drop(LeanConnection connection) {
    open.remove(connection);
    connection.close();
  }

  private void watch() {
    try {
      while (true) {
        Thread.sleep(WATCH_MILLIS);
        long now = System.nanoTime();
        open.forEach(connection -> connection.closeIfOverdue(now));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the client closes
    }
  }

  @Override
  public void close() {
    Thread ending;
    synchronized (this) {
      closed = true;
      idle.clear();
      ending = watch;
      watch = null;
    }
    if (ending != null) {
      ending.interrupt();
    }
    open.forEach(this::drop);
  }
}
