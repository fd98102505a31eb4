/** One small class per family of S3 operations; reading and writing of objects is in flow. */
package io.s3rdma.server.s3;
