package io.s3rdma.client.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;
import software.amazon.awssdk.services.s3.presigner.model.GetObjectPresignRequest;

/**
 * Reads an object with clients that know nothing of RDMA, by no code of ours. Each answers with the
 * SHA-256 of what it got.
 */
final class PlainClients {
  private final URI endpoint;
  private final StaticCredentialsProvider credentials;

  PlainClients(URI endpoint, DemoServer.DemoKeys keys) {
    this.endpoint = endpoint;
    this.credentials =
        StaticCredentialsProvider.create(
            AwsBasicCredentials.create(keys.accessKey(), keys.secretKey()));
  }

  String awsSdk(String bucket, String key) throws IOException {
    try (S3Client s3 =
            S3Client.builder()
                .endpointOverride(endpoint)
                .region(Region.US_EAST_1)
                .credentialsProvider(credentials)
                .forcePathStyle(true)
                .httpClient(UrlConnectionHttpClient.create())
                .build();
        InputStream body = s3.getObject(b -> b.bucket(bucket).key(key))) {
      return Sha256.of(body);
    }
  }

  /** Empty if there is no curl on the PATH. */
  Optional<String> curl(String bucket, String key, Path folder) throws IOException {
    if (!onPath("curl")) {
      return Optional.empty();
    }
    Path target = folder.resolve("by-curl");
    Process curl =
        new ProcessBuilder(
                "curl", "-sS", "-f", "--noproxy", "*", "-o", target.toString(), "-K", "-")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    // The URL is as good as a password; in the arguments the process list would show it.
    try (OutputStream config = curl.getOutputStream()) {
      config.write(("url = \"" + presigned(bucket, key) + "\"\n").getBytes(UTF_8));
    }
    try {
      int status = curl.waitFor();
      if (status != 0) {
        throw new IOException("curl ended with " + status);
      }
    } catch (InterruptedException e) {
      curl.destroy();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    return Optional.of(Sha256.of(target));
  }

  private String presigned(String bucket, String key) {
    try (S3Presigner presigner =
        S3Presigner.builder()
            .endpointOverride(endpoint)
            .region(Region.US_EAST_1)
            .credentialsProvider(credentials)
            .serviceConfiguration(S3Configuration.builder().pathStyleAccessEnabled(true).build())
            .build()) {
      GetObjectRequest get = GetObjectRequest.builder().bucket(bucket).key(key).build();
      return presigner
          .presignGetObject(
              GetObjectPresignRequest.builder()
                  .getObjectRequest(get)
                  .signatureDuration(Duration.ofMinutes(5))
                  .build())
          .url()
          .toString();
    }
  }

  private static boolean onPath(String program) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Arrays.stream(path.split(":", -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }
}
