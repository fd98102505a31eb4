/** Values of IP networking that several packages need. */
package io.s3rdma.server.net;
