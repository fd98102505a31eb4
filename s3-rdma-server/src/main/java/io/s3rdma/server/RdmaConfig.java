package io.s3rdma.server;

import io.s3rdma.server.flow.RdmaSettings;
import io.s3rdma.server.transfer.PeerLimits;
import java.util.List;

/** Settings of RDMA; see the section {@code rdma} of reference.conf. */
public record RdmaConfig(
    Enabled enabled,
    List<String> devices,
    int port,
    String gidAddress,
    int chunkBytes,
    int chunksInFlight,
    long stagingBytes,
    long hotBytes,
    int completionSpins,
    int deadlineMillisMax,
    int deadlineMillisDefault,
    int connectionIdleSeconds,
    int connectionsMax,
    int connectionsPerKeyMax,
    int connectsPerSecondMax,
    List<String> clientSubnets,
    boolean allowUnsignedConnect,
    long objectBytesMin,
    int transportTimeout,
    int transportRetries,
    RdmaSettings.PeerProof requirePeerProof,
    PeerLimits peerLimits) {
  public RdmaConfig {
    devices = List.copyOf(devices);
    clientSubnets = List.copyOf(clientSubnets);
  }

  /** Whether RDMA is used. */
  public enum Enabled {
    /** Where a device is; without one every token is declined. */
    AUTO,
    /** No start without a device. */
    ON,
    OFF
  }
}
