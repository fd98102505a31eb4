package io.s3rdma.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The HTTPS listener beside the plain one. */
class TlsIT {
  private static final int OBJECT_BYTES = 3_000_000;

  @TempDir Path directory;
  private HttpServer server;
  private final AtomicReference<ScatteredContent> content = new AtomicReference<>();
  private final byte[] object = random();

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  @ParameterizedTest
  @CsvSource({"RSA, TLSv1.2", "EC, TLSv1.3", "Ed25519, TLSv1.3"})
  void shouldSendFilesAndMemoryWhenEncrypted(String algorithm, String protocol) throws Exception {
    TestCertificate certificate = TestCertificate.make(directory, algorithm);
    start(certificate);
    try (RawClient client = client(certificate, protocol)) {
      client.sendHead("GET", "/special/x", Headers.EMPTY, Headers.EMPTY);
      assertThat(client.receiveBytes()).isEqualTo(object);
      client.sendHead("GET", "/special/x?part", Headers.EMPTY, Headers.EMPTY);
      assertThat(client.receiveBytes()).isEqualTo(Arrays.copyOfRange(object, 999_999, 1_999_998));
    }
    assertThat(content.get().closed.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(content.get().closes.get()).isEqualTo(1);
  }

  @Test
  void shouldCloseContentWhenClientGoesAwayOrFileIsShort() throws Exception {
    TestCertificate certificate = TestCertificate.make(directory, "EC");
    start(certificate);
    try (RawClient client = client(certificate, "TLSv1.3")) {
      client.sendHead("GET", "/special/x?cut", Headers.EMPTY, Headers.EMPTY);
      assertThatThrownBy(client::receiveBytes).isInstanceOf(IOException.class);
      assertThat(content.get().closed.await(10, TimeUnit.SECONDS)).isTrue();
    }
    try (RawClient client = client(certificate, "TLSv1.3")) {
      client.sendHead("GET", "/special/x?many", Headers.EMPTY, Headers.EMPTY);
      client.receive(false);
    }
    assertThat(content.get().closed.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(content.get().closes.get()).isEqualTo(1);
  }

  @Test
  void shouldEndWhenHandshakeIsNotFinished() throws Exception {
    start(TestCertificate.make(directory, "EC"));
    try (Socket silent = new Socket(InetAddress.getLoopbackAddress(), port("https"))) {
      silent.setSoTimeout(20_000);
      assertThat(silent.getInputStream().read()).isEqualTo(-1);
    }
    try (RawClient plain = new RawClient(port("https"), HttpLab.KEY, HttpLab.SECRET)) {
      plain.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
      assertThatThrownBy(plain::receive).isInstanceOf(IOException.class);
    }
    try (RawClient plain = new RawClient(port("http"), HttpLab.KEY, HttpLab.SECRET)) {
      plain.sendHead("GET", "/special/x", Headers.EMPTY, Headers.EMPTY);
      assertThat(plain.receiveBytes()).isEqualTo(object);
    }
  }

  @Test
  void shouldTakeNewCertificateWhenFilesChange() throws Exception {
    TestCertificate first = TestCertificate.make(directory, "EC");
    start(first);
    assertThat(served(first)).isEqualTo(first.certificate());

    Files.writeString(first.keyFile(), "nothing");
    Thread.sleep(1_100); // a change is looked for once a second
    assertThat(served(first)).isEqualTo(first.certificate());

    TestCertificate second = TestCertificate.make(directory, "RSA");
    Thread.sleep(1_100);
    assertThat(served(second)).isEqualTo(second.certificate());
  }

  @Test
  void shouldNotStartWhenFilesAreWrong() throws Exception {
    TestCertificate certificate = TestCertificate.make(directory, "EC");
    Path other = Files.createDirectory(directory.resolve("other"));
    TestCertificate second = TestCertificate.make(other, "EC");
    Path pkcs1 = Files.writeString(other.resolve("pkcs1"), "-----BEGIN RSA PRIVATE KEY-----\nAA==");

    assertNoStart(certificate.certificateFile(), second.keyFile(), "another key");
    assertNoStart(certificate.certificateFile(), pkcs1, "openssl pkcs8");
    assertNoStart(certificate.keyFile(), certificate.keyFile(), "certificate");
    assertNoStart(other.resolve("none"), certificate.keyFile(), "none");
  }

  private void assertNoStart(Path certificate, Path key, String message) {
    try (HttpServer wrong = HttpLab.server(config(certificate, key), this::answer)) {
      assertThatThrownBy(wrong::start)
          .isInstanceOf(IOException.class)
          .hasMessageContaining(message);
    }
  }

  private void start(TestCertificate certificate) throws IOException {
    HttpConfig config = config(certificate.certificateFile(), certificate.keyFile());
    server = HttpLab.server(config, this::answer);
    server.start();
  }

  private static HttpConfig config(Path certificate, Path key) {
    TlsConfig tls = new TlsConfig(0, certificate, key, 1);
    return HttpLab.config(Optional.of(tls));
  }

  private S3Response answer(S3Request request) throws IOException {
    boolean many = request.query("many").isPresent();
    ScatteredContent made =
        new ScatteredContent(many ? new byte[64 << 20] : object, 700_001, directory);
    content.set(made);
    if (request.query("cut").isPresent()) {
      made.cut(1);
    }
    if (request.query("part").isPresent()) {
      return S3Response.of(206).withContent(made, 999_999, 999_999);
    }
    return S3Response.of(200).withContent(made, 0, many ? 64 << 20 : OBJECT_BYTES);
  }

  private RawClient client(TestCertificate certificate, String protocol) throws Exception {
    SSLSocket socket = connect(certificate);
    socket.setEnabledProtocols(new String[] {protocol});
    return new RawClient(socket, HttpLab.KEY, HttpLab.SECRET);
  }

  private Certificate served(TestCertificate trusted) throws Exception {
    try (SSLSocket socket = connect(trusted)) {
      socket.startHandshake();
      return socket.getSession().getPeerCertificates()[0];
    }
  }

  private SSLSocket connect(TestCertificate trusted) throws Exception {
    return (SSLSocket)
        trusted
            .clientContext()
            .getSocketFactory()
            .createSocket(InetAddress.getLoopbackAddress(), port("https"));
  }

  private int port(String scheme) {
    Map<String, InetSocketAddress> addresses = server.addresses();
    return addresses.get(scheme).getPort();
  }

  private static byte[] random() {
    byte[] bytes = new byte[OBJECT_BYTES];
    new Random(1).nextBytes(bytes);
    return bytes;
  }
}
