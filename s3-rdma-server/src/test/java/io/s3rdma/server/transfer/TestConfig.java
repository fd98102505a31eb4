package io.s3rdma.server.transfer;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/** A transfer configuration with small figures; tests change what they are about. */
final class TestConfig {
  static final int CHUNK = 16 << 10;

  int chunksInFlight = 4;
  int slots = 16;
  int hotChunks;
  int transportTimeout = 10; // 4 ms a try, so that a silent peer is noticed soon
  int drainTimeoutMillis = 5_000;
  int connectionIdleSeconds = 300;
  int connectionsMax = 16;
  int connectionsPerKeyMax = 16;
  int connectsPerSecondMax = 1_000;
  List<String> devices = List.of();
  int connectsPerSecondPerKeyMax = 1_000_000;
  int transfersPerKeyMax = 64;
  int transfersWaitingPerKeyMax = 64;
  long bytesInFlightPerKeyMax;
  int errorBudget;
  int coolDownSeconds = 60;
  Optional<InetAddress> gidAddress = Optional.empty();

  TransferConfig build() {
    return new TransferConfig(
        devices,
        1,
        gidAddress,
        CHUNK,
        chunksInFlight,
        (long) slots * CHUNK,
        (long) hotChunks * CHUNK,
        64,
        transportTimeout,
        6,
        drainTimeoutMillis,
        connectionIdleSeconds,
        connectionsMax,
        connectionsPerKeyMax,
        connectsPerSecondMax,
        new PeerLimits(
            connectsPerSecondPerKeyMax,
            transfersPerKeyMax,
            transfersWaitingPerKeyMax,
            bytesInFlightPerKeyMax,
            errorBudget,
            60,
            coolDownSeconds));
  }

  Transfers open() {
    return Transfers.open(build());
  }
}
