/**
 * HTTP for S3: the Netty pipeline, SigV4, aws-chunked bodies, a request as a value, and the one
 * encoder for answers and errors. Knows nothing of stores or transfers.
 */
package io.s3rdma.server.http;
