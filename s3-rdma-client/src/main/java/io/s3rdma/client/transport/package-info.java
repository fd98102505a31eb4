/**
 * How a request's bytes reach this process's memory: the rail, pooled connections, request-scoped
 * windows, tokens minted per attempt, and fencing. For the {@code client} package; applications use
 * {@code S3RdmaClient}.
 */
package io.s3rdma.client.transport;
