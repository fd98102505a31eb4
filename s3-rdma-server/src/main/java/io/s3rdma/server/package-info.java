/** The S3 server as a program: configuration, wiring, start and stop order. */
package io.s3rdma.server;
