package io.s3rdma.server.store;

/**
 * What a data file must be; in the same write as what names it, so that files and metadata can be
 * compared without reading all metadata.
 *
 * @param crc32c of all its bytes
 * @param owner bucket and key, for reports
 */
record FileRecord(String id, long size, int crc32c, String owner) {}
