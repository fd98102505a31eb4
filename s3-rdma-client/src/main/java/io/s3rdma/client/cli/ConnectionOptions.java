package io.s3rdma.client.cli;

import io.s3rdma.client.RdmaPolicy;
import io.s3rdma.client.S3RdmaClient;
import io.s3rdma.client.S3RdmaClientBuilder;
import java.net.InetAddress;
import java.net.URI;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/** Which server, as whom, by which way. */
final class ConnectionOptions {
  private static final String ACCESS_KEY = "S3RDMA_ACCESS_KEY";
  private static final String SECRET_KEY = "S3RDMA_SECRET_KEY";

  @Option(
      names = "--endpoint",
      paramLabel = "URL",
      defaultValue = "${env:S3RDMA_ENDPOINT:-http://127.0.0.1:9000}",
      description = "the server; else S3RDMA_ENDPOINT, else http://127.0.0.1:9000")
  private URI endpoint;

  @Option(names = "--access-key", paramLabel = "ID", description = "else " + ACCESS_KEY)
  private String accessKey;

  @Option(
      names = "--secret-key",
      paramLabel = "SECRET",
      description = "others see it in the process list; better " + SECRET_KEY)
  private String secretKey;

  @Option(
      names = "--region",
      paramLabel = "NAME",
      defaultValue = "us-east-1",
      description = "of the signature (${DEFAULT-VALUE})")
  private String region;

  @Option(
      names = "--rdma",
      paramLabel = "POLICY",
      defaultValue = "prefer",
      description =
          "require: by RDMA or not at all, exit code 3; prefer: else by HTTP, and the result says"
              + " why; never: by HTTP (${DEFAULT-VALUE})")
  private RdmaPolicy policy;

  @Option(
      names = "--device",
      paramLabel = "NAME",
      description = "RDMA device; else the one with the local address towards the server")
  private String device;

  @Option(
      names = "--gid-address",
      paramLabel = "IP",
      description = "address of the GID to use, where HTTP leaves by another interface than RDMA")
  private InetAddress gidAddress;

  @Option(
      names = "--deadline",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "patience for one request (${DEFAULT-VALUE})")
  private int deadlineSeconds;

  URI endpoint() {
    return endpoint;
  }

  RdmaPolicy policy() {
    return policy;
  }

  /** The caller closes it. */
  S3RdmaClient open(Consumer<S3RdmaClientBuilder> more) {
    if (endpoint.getHost() == null || !String.valueOf(endpoint.getScheme()).matches("https?")) {
      throw new UsageException(
          "--endpoint " + endpoint + " is not a URL like http://10.9.0.1:9000");
    }
    if (deadlineSeconds < 1) {
      throw new UsageException("--deadline must be at least 1 second");
    }
    S3RdmaClientBuilder builder =
        S3RdmaClient.builder()
            .endpoint(endpoint)
            .region(region)
            .policy(policy)
            .deadlineMillis(deadlineSeconds * 1000L);
    setCredentials(builder);
    Optional.ofNullable(device).ifPresent(builder::device);
    Optional.ofNullable(gidAddress).ifPresent(builder::gidAddress);
    more.accept(builder);
    return builder.build();
  }

  /** Option, else our variables, else the SDK's chain. */
  private void setCredentials(S3RdmaClientBuilder builder) {
    if ((accessKey == null) != (secretKey == null)) {
      throw new UsageException("--access-key and --secret-key belong together");
    }
    String id = accessKey != null ? accessKey : System.getenv(ACCESS_KEY);
    String secret = secretKey != null ? secretKey : System.getenv(SECRET_KEY);
    if ((id == null) != (secret == null)) {
      throw new UsageException("set both " + ACCESS_KEY + " and " + SECRET_KEY);
    }
    if (id != null && !id.isEmpty()) {
      builder.credentials(id, secret);
    }
  }
}
