package io.s3rdma.server.http;

/** Settings of the HTTP side; see the section {@code http} of reference.conf. */
public record HttpConfig(
    String host,
    int port,
    int eventLoopThreads,
    int operationThreads,
    int operationQueueMax,
    int connectionsMax,
    int requestLineBytesMax,
    int headerBytesMax,
    int bodyBufferBytes,
    long drainBytesMax,
    int headerTimeoutSeconds,
    int idleTimeoutSeconds,
    int stopTimeoutSeconds) {}
