package io.s3rdma.server.store;

/**
 * Which uploads to list: by key, and of a key the oldest first.
 *
 * @param keyMarker exclusive, or with an upload marker the key to go on within
 * @param uploadIdMarker exclusive; empty for none
 * @param entriesMax uploads and common prefixes together
 */
public record UploadQuery(
    String bucket,
    String prefix,
    String keyMarker,
    String uploadIdMarker,
    String delimiter,
    int entriesMax) {}
