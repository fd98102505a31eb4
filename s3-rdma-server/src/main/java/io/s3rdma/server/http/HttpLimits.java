package io.s3rdma.server.http;

/**
 * What a client may ask of the HTTP side; see the section {@code http} of reference.conf.
 *
 * @param connectionsPerAddressMax 0 for no limit but that of all connections
 * @param bodyBytesPerSecondMin below it over a window a body or an answer is given up; 0 for none
 */
public record HttpLimits(
    int connectionsMax,
    int connectionsPerAddressMax,
    int requestLineBytesMax,
    int headerBytesMax,
    int bodyBufferBytes,
    long bodyBufferBytesTotalMax,
    long drainBytesMax,
    int headerTimeoutSeconds,
    int idleTimeoutSeconds,
    int bodyBytesPerSecondMin,
    int bodyRateWindowSeconds) {}
