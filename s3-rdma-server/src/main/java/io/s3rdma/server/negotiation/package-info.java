/** A pure function from a request and what this server can do to the way its bytes travel. */
package io.s3rdma.server.negotiation;
