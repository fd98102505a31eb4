package io.s3rdma.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.server.http.Headers;
import io.s3rdma.server.http.RawClient;
import io.s3rdma.server.http.RawClient.Answer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.ProxyConfiguration;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.s3.S3Client;

/** Buckets that the host names, beside those that the path names. */
class VirtualHostIT {
  private static final String NAME = "s3.example.test";

  @TempDir static Path directory;
  private static TestServer server;

  @BeforeAll
  static void start() throws IOException {
    server = TestServer.start(directory, Map.of("http.host-suffixes", List.of(NAME, "localhost")));
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "with.dots.in-it"})
  void shouldServeSdkWhenHostNamesBucket(String bucket) {
    // The names resolve nowhere; as its proxy the server gets the host that the SDK signs.
    UrlConnectionHttpClient.Builder http =
        UrlConnectionHttpClient.builder()
            .proxyConfiguration(
                ProxyConfiguration.builder()
                    .endpoint(server.endpoint())
                    .useSystemPropertyValues(false)
                    .useEnvironmentVariablesValues(false)
                    .build());
    URI endpoint = URI.create("http://" + NAME + ":" + server.port());
    try (S3Client hosts =
            server
                .builder(TestServer.ACCESS_KEY, TestServer.SECRET_KEY)
                .forcePathStyle(false)
                .endpointOverride(endpoint)
                .httpClientBuilder(http)
                .build();
        S3Client paths = server.client()) {
      hosts.createBucket(b -> b.bucket(bucket));
      for (String key :
          List.of("k", "a b+c%25/d", "ü漢", "~!*'()", "a//b", bucket + "/x", "-/health")) {
        hosts.putObject(
            b -> b.bucket(bucket).key(key), RequestBody.fromString("content of " + key));
        assertThat(paths.getObjectAsBytes(b -> b.bucket(bucket).key(key)).asUtf8String())
            .isEqualTo("content of " + key);
        assertThat(hosts.getObjectAsBytes(b -> b.bucket(bucket).key(key)).asUtf8String())
            .isEqualTo("content of " + key);
      }
      assertThat(hosts.listObjectsV2(b -> b.bucket(bucket)).contents()).hasSize(7);
      assertThat(hosts.listBuckets().buckets()).anyMatch(b -> b.name().equals(bucket));
    }
  }

  @Test
  void shouldServeBothStylesWhenHostHasPort() throws IOException { // s3-bugs 30
    try (RawClient client = client()) {
      client.nameHost("both.localhost:" + server.port());
      assertThat(call(client, "PUT", "/", "").status()).isEqualTo(200);
      assertThat(call(client, "PUT", "/a%20b+c", "hello").status()).isEqualTo(200);
      assertThat(call(client, "PUT", "/both/k", "nested").status()).isEqualTo(200);
      assertThat(completed(client, "/in%20parts"))
          .contains("<Location>http://both.localhost:" + server.port() + "/in%20parts</Location>");
      client.nameHost("localhost:" + server.port());
      assertThat(call(client, "GET", "/both/a%20b%2Bc", "").body()).isEqualTo("hello");
      assertThat(call(client, "GET", "/both/both/k", "").body()).isEqualTo("nested");
      client.nameHost("BOTH.localhost");
      assertThat(call(client, "GET", "/a%20b%2Bc", "").body()).isEqualTo("hello");
      client.nameHost("127.0.0.1:" + server.port());
      assertThat(call(client, "GET", "/both/a%20b%2Bc", "").body()).isEqualTo("hello");
      client.nameHost("behind.a.proxy");
      assertThat(call(client, "GET", "/both/a%20b%2Bc", "").body()).isEqualTo("hello");
    }
  }

  @Test
  void shouldKeepAdministrationOffBucketHosts() throws IOException {
    try (RawClient client = client()) {
      client.send("GET /-/health HTTP/1.1\r\nHost: some.localhost\r\n\r\n");
      assertThat(client.receive().status()).isEqualTo(403);
      client.send("GET /-/health HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(client.receive().status()).isEqualTo(200);
    }
  }

  /** What the end of an upload of one part is answered. */
  private static String completed(RawClient client, String target) throws IOException {
    String created = call(client, "POST", target + "?uploads", "").body();
    String id = created.replaceAll("(?s).*<UploadId>(.*)</UploadId>.*", "$1");
    String query = target + "?partNumber=1&uploadId=" + id;
    String etag = call(client, "PUT", query, "x").headers().first("etag").orElseThrow();
    String document =
        "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>%s</ETag></Part>"
                .formatted(etag)
            + "</CompleteMultipartUpload>";
    return call(client, "POST", target + "?uploadId=" + id, document).body();
  }

  private static Answer call(RawClient client, String method, String target, String body)
      throws IOException {
    Headers length = Headers.of("content-length", Integer.toString(body.length()));
    client.sendHead(method, target, length, Headers.EMPTY);
    client.send(body);
    return client.receive();
  }

  private static RawClient client() throws IOException {
    return new RawClient(server.port(), TestServer.ACCESS_KEY, TestServer.SECRET_KEY);
  }
}
