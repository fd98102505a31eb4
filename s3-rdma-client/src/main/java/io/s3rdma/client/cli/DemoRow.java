package io.s3rdma.client.cli;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * One measured transfer, as the demo's client tells it to the demo on a line of JSON.
 *
 * @param operation PUT or GET
 * @param transport RDMA or HTTP
 * @param serverCpuSeconds in steps of 10 ms
 * @param packetsCounted by the server, from sequence numbers; 0 by HTTP
 * @param packetsExpected bytes over the port's MTU, rounded up; 0 by HTTP
 * @param portPackets that the port sent meanwhile, everyone's; -1 where it has no such counter
 * @param sha256 of the bytes received; empty for PUT
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record DemoRow(
    String operation,
    String transport,
    long bytes,
    double seconds,
    double clientCpuSeconds,
    double serverCpuSeconds,
    String verdict,
    long packetsCounted,
    long packetsExpected,
    long portPackets,
    String sha256) {
  boolean byRdma() {
    return transport.equals("RDMA");
  }

  double megabytesPerSecond() {
    return Figures.megabytesPerSecond(bytes, seconds);
  }
}
