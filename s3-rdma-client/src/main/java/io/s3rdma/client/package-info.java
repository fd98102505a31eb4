/**
 * S3 GET and PUT whose bytes travel by RDMA into or out of a {@link io.s3rdma.rdma.TransferBuffer},
 * over the AWS SDK v2. {@link io.s3rdma.client.S3RdmaClient} is the entrance; {@link
 * io.s3rdma.client.TransferResult} always says which way the bytes went and how that is known.
 */
package io.s3rdma.client;
