/** The way of a byte: GET and PUT of an object, one named step a line; all branching is here. */
package io.s3rdma.server.flow;
