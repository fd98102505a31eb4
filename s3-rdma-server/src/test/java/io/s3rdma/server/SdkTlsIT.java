package io.s3rdma.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.server.http.TestCertificate;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.s3.S3Client;

/** The unmodified SDK over HTTPS, without a plain listener. */
class SdkTlsIT {
  @TempDir Path directory;

  @Test
  void shouldGiveBackWhenPut() throws Exception {
    TestCertificate certificate = TestCertificate.make(directory, "RSA");
    Map<String, Object> settings =
        Map.of(
            "http.port",
            -1,
            "http.tls-port",
            0,
            "http.tls.certificate-file",
            certificate.certificateFile().toString(),
            "http.tls.key-file",
            certificate.keyFile().toString());
    byte[] content = new byte[5_000_000];
    new Random(7).nextBytes(content);
    try (TestServer server = TestServer.start(directory.resolve("data"), settings);
        S3Client s3 =
            server.client(
                URI.create("https://localhost:" + server.port()),
                UrlConnectionHttpClient.builder().tlsTrustManagersProvider(certificate::trust))) {
      assertThat(server.endpoints()).containsExactly("https://127.0.0.1:" + server.port());
      s3.createBucket(b -> b.bucket("secure"));
      s3.putObject(b -> b.bucket("secure").key("a b"), RequestBody.fromBytes(content));
      s3.putObject(b -> b.bucket("secure").key("empty"), RequestBody.empty());

      assertThat(s3.getObjectAsBytes(b -> b.bucket("secure").key("a b")).asByteArray())
          .isEqualTo(content);
      assertThat(
              s3.getObjectAsBytes(b -> b.bucket("secure").key("a b").range("bytes=70000-4000000"))
                  .asByteArray())
          .isEqualTo(Arrays.copyOfRange(content, 70_000, 4_000_001));
      assertThat(s3.getObjectAsBytes(b -> b.bucket("secure").key("empty")).asByteArray()).isEmpty();
    }
  }
}
