package io.s3rdma.server.transfer;

/**
 * What a source's bytes are; immutable.
 *
 * @param id names data that never change, and no others ever
 * @param sizeBytes all of the data's bytes
 * @param first which of them is the source's byte 0
 */
public record SourceName(String id, long sizeBytes, long first) {}
