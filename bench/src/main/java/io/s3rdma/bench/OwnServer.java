package io.s3rdma.bench;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/** This server with one object of each size, read and written by presigned URLs. */
final class OwnServer implements AutoCloseable {
  static final String NAME = "s3rdma";
  private static final String BUCKET = "bench";
  private static final Duration SIGNED_FOR = Duration.ofDays(1);
  private static final StaticCredentialsProvider KEYS =
      StaticCredentialsProvider.create(
          AwsBasicCredentials.create(ServerProcess.ACCESS_KEY, ServerProcess.SECRET_KEY));

  private final ServerProcess server;
  private final S3Presigner presigner;

  private OwnServer(ServerProcess server) {
    this.server = server;
    this.presigner =
        S3Presigner.builder()
            .endpointOverride(server.endpoint())
            .region(Region.US_EAST_1)
            .serviceConfiguration(S3Configuration.builder().pathStyleAccessEnabled(true).build())
            .credentialsProvider(KEYS)
            .build();
  }

  static OwnServer start(ServerLaunch launch, Content content, Iterable<Long> sizes)
      throws IOException {
    OwnServer own = new OwnServer(ServerProcess.start(launch));
    try (S3Client s3 =
        S3Client.builder()
            .endpointOverride(own.server.endpoint())
            .region(Region.US_EAST_1)
            .forcePathStyle(true)
            .httpClientBuilder(UrlConnectionHttpClient.builder())
            .credentialsProvider(KEYS)
            .build()) {
      s3.createBucket(b -> b.bucket(BUCKET));
      for (long size : sizes) {
        s3.putObject(
            b -> b.bucket(BUCKET).key(Content.name(size)), RequestBody.fromBytes(content.of(size)));
      }
      return own;
    } catch (RuntimeException e) {
      own.close();
      throw e;
    }
  }

  /** As one of those compared; closing either stops the server. */
  HttpPeer peer(Iterable<Long> sizes) {
    Map<Long, URI> urls = new LinkedHashMap<>();
    for (long size : sizes) {
      urls.put(size, readable(size));
    }
    return new HttpPeer(NAME, server.process(), urls);
  }

  URI readable(long size) {
    return URI.create(
        presigner
            .presignGetObject(
                p ->
                    p.signatureDuration(SIGNED_FOR)
                        .getObjectRequest(b -> b.bucket(BUCKET).key(Content.name(size))))
            .url()
            .toString());
  }

  URI writable(String key) {
    return URI.create(
        presigner
            .presignPutObject(
                p ->
                    p.signatureDuration(SIGNED_FOR)
                        .putObjectRequest(b -> b.bucket(BUCKET).key(key)))
            .url()
            .toString());
  }

  long pid() {
    return server.process().pid();
  }

  @Override
  public void close() throws IOException {
    presigner.close();
    server.close();
  }
}
