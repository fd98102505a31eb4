/** The {@code s3rdma} commands; {@link io.s3rdma.client.cli.S3Rdma} is the entrance. */
package io.s3rdma.client.cli;
