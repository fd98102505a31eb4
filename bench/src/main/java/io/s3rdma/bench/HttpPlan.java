package io.s3rdma.bench;

import java.nio.file.Path;
import java.util.List;

/**
 * What a comparison over plain HTTP does; immutable.
 *
 * @param seconds of one measurement
 * @param warmUpSeconds of each server and size, before the first round
 * @param largeBytes size of the objects whose bytes are measured
 * @param smallBytes size of those whose requests are counted
 * @param largeConnections keep-alive connections that read large objects
 * @param smallConnections keep-alive connections that read small ones
 * @param loadThreads threads of the load generator
 * @param peers who is measured beside this server: nginx, s3proxy
 * @param data folder of the servers' data and messages
 */
record HttpPlan(
    int seconds,
    int warmUpSeconds,
    long largeBytes,
    long smallBytes,
    int largeConnections,
    int smallConnections,
    int loadThreads,
    List<String> peers,
    Path data) {
  HttpPlan {
    peers = List.copyOf(peers);
  }

  List<Long> sizes() {
    return List.of(largeBytes, smallBytes);
  }

  int connections(long size) {
    return size == largeBytes ? largeConnections : smallConnections;
  }
}
