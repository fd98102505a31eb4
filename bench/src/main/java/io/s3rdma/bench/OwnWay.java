package io.s3rdma.bench;

import io.s3rdma.client.RdmaPolicy;
import io.s3rdma.client.S3RdmaClient;
import io.s3rdma.client.Transport;
import io.s3rdma.rdma.HostBuffer;
import java.net.URI;

/** Our client, by RDMA or by HTTP. */
final class OwnWay implements Way {
  private final S3RdmaClient client;
  private final Transport expected;

  OwnWay(URI endpoint, RdmaPolicy policy, int connections) {
    this.expected = policy == RdmaPolicy.NEVER ? Transport.HTTP : Transport.RDMA;
    this.client =
        S3RdmaClient.builder()
            .endpoint(endpoint)
            .credentials(ServerProcess.ACCESS_KEY, ServerProcess.SECRET_KEY)
            .policy(policy)
            .connectionsMax(connections)
            .deadlineMillis(FabricOptions.DEADLINE_MILLIS)
            .build();
  }

  S3RdmaClient client() {
    return client;
  }

  @Override
  public void get(String bucket, String key, HostBuffer into) {
    Proved.check(client.getObject(bucket, key, into), expected, into.segment().byteSize());
  }

  @Override
  public void close() {
    client.close();
  }
}
