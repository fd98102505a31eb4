package io.s3rdma.client;

import io.s3rdma.rdma.HostBuffer;
import java.net.URI;

/** Reads one object over and over until it is killed. */
final class EndlessGets {
  private EndlessGets() {}

  /** Arguments: endpoint, key, bytes. */
  public static void main(String[] args) {
    try (S3RdmaClient client =
            S3RdmaClient.builder()
                .endpoint(URI.create(args[0]))
                .credentials(Lab.ACCESS_KEY, Lab.SECRET_KEY)
                .build();
        HostBuffer buffer = HostBuffer.allocate(Long.parseLong(args[2]))) {
      while (true) {
        client.getObject(Lab.BUCKET, args[1], buffer);
      }
    }
  }
}
