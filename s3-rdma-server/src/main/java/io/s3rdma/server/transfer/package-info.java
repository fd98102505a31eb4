/**
 * Connections, the rail, staging memory and the engine that moves one request's bytes. Knows
 * nothing of HTTP, the store or S3: bytes come from a {@link io.s3rdma.server.transfer.ByteSource}
 * and go to a {@link io.s3rdma.server.transfer.ByteSink}.
 */
package io.s3rdma.server.transfer;
