package io.s3rdma.server.flow;

/**
 * One finished transfer for the admin page; no key material, no address.
 *
 * @param operation GET or PUT
 * @param outcome a verdict's text, or the error code
 */
public record TransferRecord(
    String time,
    String requestId,
    String operation,
    String bucket,
    String key,
    long bytes,
    long packets,
    String outcome,
    String detail,
    long micros) {}
