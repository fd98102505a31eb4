package io.s3rdma.server;

import com.typesafe.config.Config;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/** A server in this process on a free port, and how to reach it. */
final class TestServer implements AutoCloseable {
  static final String ACCESS_KEY = "AKIDTEST";
  static final String SECRET_KEY = "secret/of+the=test";

  private final Server server;

  private TestServer(Server server) {
    this.server = server;
  }

  static TestServer start(Path directory) throws IOException {
    return start(directory, Map.of());
  }

  static TestServer start(Path directory, Map<String, Object> settings) throws IOException {
    Map<String, Object> values = new HashMap<>();
    values.put("http.port", 0);
    values.put("http.stop-timeout-seconds", 2);
    values.put("store.directory", directory.toString());
    values.put("store.durability", "none");
    values.put("auth.credentials", Map.of(ACCESS_KEY, SECRET_KEY));
    values.putAll(settings);
    Config config = new ConfigLoader(new Properties(), Map.of()).load(null, values);
    return new TestServer(Server.start(ConfigLoader.conclude(config)));
  }

  int port() {
    return server.address().getPort();
  }

  URI endpoint() {
    return URI.create("http://127.0.0.1:" + port());
  }

  /** The unmodified SDK with its defaults, so with checksums in trailers. */
  S3Client client() {
    return client(ACCESS_KEY, SECRET_KEY);
  }

  S3Client client(String accessKey, String secretKey) {
    return builder(accessKey, secretKey).build();
  }

  /** By another name or way than {@link #endpoint}. */
  S3Client client(URI endpoint, UrlConnectionHttpClient.Builder http) {
    return builder(ACCESS_KEY, SECRET_KEY)
        .endpointOverride(endpoint)
        .httpClientBuilder(http)
        .build();
  }

  List<String> endpoints() {
    return server.endpoints();
  }

  S3ClientBuilder builder(String accessKey, String secretKey) {
    return S3Client.builder()
        .endpointOverride(endpoint())
        .region(Region.US_EAST_1)
        .forcePathStyle(true)
        .httpClientBuilder(UrlConnectionHttpClient.builder())
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create(accessKey, secretKey)));
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
