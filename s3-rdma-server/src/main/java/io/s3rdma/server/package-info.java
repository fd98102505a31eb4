/** Package of the project. */
package io.s3rdma.server;
