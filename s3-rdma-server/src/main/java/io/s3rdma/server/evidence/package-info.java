/**
 * Brackets a transfer and returns a verdict (P-5). Reads sequence numbers through a function and
 * the port through {@code counters}; knows nothing of connections or HTTP.
 */
package io.s3rdma.server.evidence;
