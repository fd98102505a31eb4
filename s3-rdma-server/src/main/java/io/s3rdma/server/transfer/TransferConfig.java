package io.s3rdma.server.transfer;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/**
 * How the data path is set up; immutable.
 *
 * @param devices devices or ports to use, {@code mlx5_0} or {@code mlx5_0/2}; empty: all usable
 * @param port of devices that are named without one, or of all; 0: every port
 * @param gidAddress address whose GID to use, or empty: any of this host
 * @param chunkBytes bytes of one work request and of one staging slot
 * @param chunksInFlight work requests one transfer keeps open
 * @param stagingBytes registered memory for all transfers together, shared out among the rails
 * @param hotBytes registered memory for data read again and again, shared out likewise; 0: none
 * @param completionSpins empty polls before a completion thread sleeps
 * @param transportTimeout exponent n of 4.096 us x 2^n
 * @param transportRetries 0 to 6
 * @param drainTimeoutMillis how long a failed transfer waits for its last completion
 * @param connectionIdleSeconds an idle connection older than this is closed
 * @param peerLimits what each access key and each peer may do
 */
public record TransferConfig(
    List<String> devices,
    int port,
    Optional<InetAddress> gidAddress,
    int chunkBytes,
    int chunksInFlight,
    long stagingBytes,
    long hotBytes,
    int completionSpins,
    int transportTimeout,
    int transportRetries,
    int drainTimeoutMillis,
    int connectionIdleSeconds,
    int connectionsMax,
    int connectionsPerKeyMax,
    int connectsPerSecondMax,
    PeerLimits peerLimits) {
  public TransferConfig {
    devices = List.copyOf(devices);
    require(chunkBytes >= 4096 && chunkBytes <= 1 << 30, "chunk-bytes", chunkBytes);
    require(chunksInFlight >= 1 && chunksInFlight <= 64, "chunks-in-flight", chunksInFlight);
    require(stagingBytes >= chunkBytes, "staging-bytes", stagingBytes);
    require(hotBytes >= 0, "hot-bytes", hotBytes);
    require(completionSpins >= 0, "completion-spins", completionSpins);
    require(transportTimeout >= 1 && transportTimeout <= 31, "transport-timeout", transportTimeout);
    // Soft-RoCE reads 7 as "for ever" (rdma-practice 1.1).
    require(transportRetries >= 0 && transportRetries <= 6, "transport-retries", transportRetries);
    require(connectionsMax >= 1, "connections-max", connectionsMax);
  }

  private static void require(boolean holds, String key, long value) {
    if (!holds) {
      throw new IllegalArgumentException("rdma." + key + " is out of bounds: " + value);
    }
  }

  int hotChunks() {
    return (int) Math.min(Integer.MAX_VALUE, hotBytes / chunkBytes);
  }

  int slots() {
    return (int) Math.min(32_000, stagingBytes / chunkBytes);
  }
}
