package io.s3rdma.server.http;

/** What a client may ask of the HTTP side; see the section {@code http} of reference.conf. */
public record HttpLimits(
    int connectionsMax,
    int requestLineBytesMax,
    int headerBytesMax,
    int bodyBufferBytes,
    long drainBytesMax,
    int headerTimeoutSeconds,
    int idleTimeoutSeconds) {}
