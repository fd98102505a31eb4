package io.s3rdma.server.store;

/**
 * Which versions to list: by key, and of a key the newest first.
 *
 * @param keyMarker exclusive, or with a version marker the key to go on within
 * @param versionIdMarker exclusive; empty for none
 * @param entriesMax versions and common prefixes together
 */
public record VersionQuery(
    String bucket,
    String prefix,
    String keyMarker,
    String versionIdMarker,
    String delimiter,
    int entriesMax) {}
