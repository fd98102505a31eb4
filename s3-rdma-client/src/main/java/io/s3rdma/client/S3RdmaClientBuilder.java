package io.s3rdma.client;

import io.s3rdma.client.transport.LeanHttp;
import io.s3rdma.client.transport.RdmaAuthScheme;
import io.s3rdma.client.transport.RdmaTransport;
import io.s3rdma.client.transport.TokenSlots;
import io.s3rdma.client.transport.TransportConfig;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/** Builds a client. Not thread-safe; every setting has a default but the endpoint. */
public final class S3RdmaClientBuilder {
  private static final long TOKEN_BYTES_MAX = 0xffff_ffffL;
  private static final long PART_BYTES_MIN = 5L << 20;

  private URI endpoint;
  private String region = "us-east-1";
  private AwsCredentialsProvider credentials;
  private RdmaPolicy policy = RdmaPolicy.REQUIRE;
  private Optional<String> device = Optional.empty();
  private int port = 1;
  private Optional<InetAddress> gidAddress = Optional.empty();
  private int connectionsMax = 32;
  private int connectionIdleSeconds = 240;
  private int fenceTimeoutMillis = 2_000;
  private int transportTimeout = 16;
  private int transportRetries = 6;
  private int railsMax = 64;
  private long deadlineMillis = 30_000;
  private int attemptsMax = 3;
  private boolean putChecksum = true;
  private long partBytes = 64L << 20;
  private int partsAtOnce = 4;
  private long partedFromBytes = TOKEN_BYTES_MAX;
  private boolean leanHttp = true;

  S3RdmaClientBuilder() {}

  /** The server, for example {@code http://10.9.0.1:9000}. Path-style addressing is used. */
  public S3RdmaClientBuilder endpoint(URI value) {
    endpoint = value;
    return this;
  }

  /** Region of the signing scope; default us-east-1. */
  public S3RdmaClientBuilder region(String value) {
    region = value;
    return this;
  }

  /** Credentials; default: the SDK's chain. */
  public S3RdmaClientBuilder credentials(AwsCredentialsProvider value) {
    credentials = value;
    return this;
  }

  public S3RdmaClientBuilder credentials(String accessKey, String secretKey) {
    return credentials(
        StaticCredentialsProvider.create(AwsBasicCredentials.create(accessKey, secretKey)));
  }

  /** What to do where RDMA cannot carry a request; default REQUIRE (P-7.1). */
  public S3RdmaClientBuilder policy(RdmaPolicy value) {
    policy = value;
    return this;
  }

  /** RDMA device, and no other; default: every usable one. */
  public S3RdmaClientBuilder device(String name) {
    device = Optional.of(name);
    return this;
  }

  /** Port of the device, from 1; default 1. */
  public S3RdmaClientBuilder port(int value) {
    port = value;
    return this;
  }

  /** Device ports used at most, nearest to the buffer first; default: every usable one. */
  public S3RdmaClientBuilder railsMax(int value) {
    railsMax = value;
    return this;
  }

  /** Address of the GID, where HTTP leaves by another interface than RDMA. */
  public S3RdmaClientBuilder gidAddress(InetAddress value) {
    gidAddress = Optional.of(value);
    return this;
  }

  /** Transfers at once; default 32. */
  public S3RdmaClientBuilder connectionsMax(int value) {
    connectionsMax = value;
    return this;
  }

  /** Patience for one transfer, told to the server (P-1.7); default 30 s. */
  public S3RdmaClientBuilder deadlineMillis(long value) {
    deadlineMillis = value;
    return this;
  }

  /** Requests made at most for one transfer by RDMA; default 3. */
  public S3RdmaClientBuilder attemptsMax(int value) {
    attemptsMax = value;
    return this;
  }

  /**
   * Whether an RDMA PUT carries a CRC32C, which costs a pass over the memory and protects against
   * servers that ignore tokens; default true.
   */
  public S3RdmaClientBuilder putChecksum(boolean value) {
    putChecksum = value;
    return this;
  }

  /**
   * Bytes of a part where an object goes in parts; at least 5 MiB, which S3 demands, and less than
   * 4 GiB, which a token can say; default 64 MiB. Grows by itself where 10,000 parts would not do.
   */
  public S3RdmaClientBuilder partBytes(long value) {
    if (value < PART_BYTES_MIN || value > TOKEN_BYTES_MAX) {
      throw new IllegalArgumentException(
          "partBytes is "
              + value
              + " and must be from "
              + PART_BYTES_MIN
              + " to "
              + TOKEN_BYTES_MAX);
    }
    partBytes = value;
    return this;
  }

  /** Parts of one object in flight, each on a connection of its own; default 4. */
  public S3RdmaClientBuilder partsAtOnce(int value) {
    if (value < 1) {
      throw new IllegalArgumentException("partsAtOnce is " + value + " and must be at least 1");
    }
    partsAtOnce = value;
    return this;
  }

  /**
   * What is larger goes in parts over several connections: a GET as ranges of one version, a PUT as
   * a multipart upload, whose object has another ETag than one of a plain PUT. Default: what a
   * token can say, 4 GiB - 1.
   */
  public S3RdmaClientBuilder partedFromBytes(long value) {
    if (value < 1 || value > TOKEN_BYTES_MAX) {
      throw new IllegalArgumentException(
          "partedFromBytes is " + value + " and must be from 1 to " + TOKEN_BYTES_MAX);
    }
    partedFromBytes = value;
    return this;
  }

  /**
   * Whether requests with a token that say no more than bucket, key and range go over this client's
   * own HTTP/1.1 connections, which costs a fraction of the SDK's CPU and gives the same results;
   * default true. HTTPS, proxies and all other requests take the SDK in any case.
   */
  public S3RdmaClientBuilder leanHttp(boolean value) {
    leanHttp = value;
    return this;
  }

  public S3RdmaClient build() {
    if (endpoint == null || endpoint.getHost() == null) {
      throw new IllegalArgumentException(
          "set an endpoint like http://10.9.0.1:9000, not " + endpoint);
    }
    AwsCredentialsProvider provider =
        credentials == null ? DefaultCredentialsProvider.builder().build() : credentials;
    ReplayingHttp http =
        new ReplayingHttp(
            Apache5HttpClient.builder()
                .maxConnections(2 * connectionsMax + 8)
                .connectionTimeout(Duration.ofSeconds(5))
                .socketTimeout(Duration.ofMillis(deadlineMillis + 10_000))
                .build());
    TokenSlots slots = new TokenSlots();
    S3Client tokenS3 =
        base(provider, http)
            .putAuthScheme(new RdmaAuthScheme(slots))
            // Attempts are counted where their buffers are fenced.
            .overrideConfiguration(c -> c.retryStrategy(AwsRetryStrategy.doNotRetry()))
            .build();
    LazyTransport transport =
        new LazyTransport(() -> RdmaTransport.open(transportConfig(provider), http));
    ClientContext context =
        new ClientContext(
            tokenS3,
            base(provider, http).build(),
            slots,
            lean(provider, http, tokenS3),
            transport,
            policy,
            deadlineMillis,
            attemptsMax,
            putChecksum,
            new PartPlan(partBytes, partsAtOnce, partedFromBytes));
    return new S3RdmaClient(context, transport, http);
  }

  private Optional<LeanCalls> lean(
      AwsCredentialsProvider provider, ReplayingHttp http, S3Client tokenS3) {
    if (!leanHttp || !LeanCalls.reaches(endpoint)) {
      return Optional.empty();
    }
    LeanHttp own = new LeanHttp(endpoint, region, provider, connectionsMax);
    return Optional.of(new LeanCalls(own, http, tokenS3));
  }

  private S3ClientBuilder base(AwsCredentialsProvider provider, SdkHttpClient http) {
    return S3Client.builder()
        .endpointOverride(endpoint)
        .region(Region.of(region))
        .credentialsProvider(provider)
        .forcePathStyle(true)
        .httpClient(http)
        // The defaults turn an empty RDMA PUT into an aws-chunked body and check sums of empty GET
        // bodies.
        .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
        .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED);
  }

  private TransportConfig transportConfig(AwsCredentialsProvider provider) {
    return new TransportConfig(
        endpoint,
        region,
        provider,
        device,
        port,
        gidAddress,
        connectionsMax,
        connectionIdleSeconds,
        fenceTimeoutMillis,
        transportTimeout,
        transportRetries,
        railsMax);
  }
}
