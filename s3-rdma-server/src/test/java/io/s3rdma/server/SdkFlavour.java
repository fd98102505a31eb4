package io.s3rdma.server;

import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3AsyncClient;

/** The SDK's clients, which send different requests for the same call. */
enum SdkFlavour {
  /** Over HttpURLConnection; signed chunks with a signed trailer. */
  SYNC {
    @Override
    SdkCalls open(TestServer server) {
      return SdkCalls.of(server.client());
    }
  },

  /** Over Netty. */
  ASYNC {
    @Override
    SdkCalls open(TestServer server) {
      return SdkCalls.of(
          S3AsyncClient.builder()
              .endpointOverride(server.endpoint())
              .region(Region.US_EAST_1)
              .forcePathStyle(true)
              .credentialsProvider(KEYS)
              .httpClientBuilder(NettyNioAsyncHttpClient.builder())
              .build());
    }
  },

  /** Over Netty, where the SDK splits large objects into parts, both ways. */
  ASYNC_PARTS {
    @Override
    SdkCalls open(TestServer server) {
      return SdkCalls.of(
          S3AsyncClient.builder()
              .endpointOverride(server.endpoint())
              .region(Region.US_EAST_1)
              .forcePathStyle(true)
              .credentialsProvider(KEYS)
              .httpClientBuilder(NettyNioAsyncHttpClient.builder())
              .multipartEnabled(true)
              .build());
    }
  },

  /** The native client: unsigned chunks with a trailer, ranged GETs, parts from 8 MiB on. */
  CRT {
    @Override
    SdkCalls open(TestServer server) {
      return SdkCalls.of(
          S3AsyncClient.crtBuilder()
              .endpointOverride(server.endpoint())
              .region(Region.US_EAST_1)
              .forcePathStyle(true)
              .credentialsProvider(KEYS)
              .build());
    }
  };

  private static final StaticCredentialsProvider KEYS =
      StaticCredentialsProvider.create(
          AwsBasicCredentials.create(TestServer.ACCESS_KEY, TestServer.SECRET_KEY));

  abstract SdkCalls open(TestServer server);
}
