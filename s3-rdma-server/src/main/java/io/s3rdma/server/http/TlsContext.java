package io.s3rdma.server.http;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.cert.X509Certificate;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate in force. A new connection notices that its files changed, at most once a second;
 * a pair that cannot be used is reported and leaves the old one in force. Thread-safe.
 *
 * <p>The JDK does TLS, or OpenSSL where netty-tcnative is on the class path.
 */
final class TlsContext {
  private static final Logger LOG = LoggerFactory.getLogger(TlsContext.class);
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final TlsConfig config;
  private SslContext context;
  private Stamp stamp;
  private long lookedNanos;

  /** Throws what is wrong with the files. */
  TlsContext(TlsConfig config) throws IOException {
    this.config = config;
    this.stamp = Stamp.of(config);
    this.context = load(config);
    this.lookedNanos = System.nanoTime();
  }

  /** For one connection. */
  SslHandler newHandler(ByteBufAllocator allocator) {
    SslHandler handler = current().newHandler(allocator);
    handler.setHandshakeTimeout(config.handshakeTimeoutSeconds(), TimeUnit.SECONDS);
    return handler;
  }

  private synchronized SslContext current() {
    long now = System.nanoTime();
    if (now - lookedNanos >= LOOK_NANOS) {
      lookedNanos = now;
      reload();
    }
    return context;
  }

  private void reload() {
    try {
      Stamp found = Stamp.of(config);
      if (!found.equals(stamp)) {
        // Remembered before it is tried: a wrong pair is told of once.
        stamp = found;
        context = load(config);
        LOG.info("the certificate {} changed and is in force", config.certificateFile());
      }
    } catch (IOException e) {
      LOG.error("the certificate in force stays: {}", e.toString());
    }
  }

  private static SslContext load(TlsConfig config) throws IOException {
    X509Certificate[] chain = PemFiles.certificates(config.certificateFile());
    return SslContextBuilder.forServer(PemFiles.privateKey(config.keyFile(), chain[0]), chain)
        .protocols("TLSv1.3", "TLSv1.2")
        .build();
  }

  /** What tells a file from the one that was there before. */
  private record Stamp(FileTime certificate, long certificateBytes, FileTime key, long keyBytes) {
    static Stamp of(TlsConfig config) throws IOException {
      Path certificate = config.certificateFile();
      Path key = config.keyFile();
      return new Stamp(
          Files.getLastModifiedTime(certificate),
          Files.size(certificate),
          Files.getLastModifiedTime(key),
          Files.size(key));
    }
  }
}
