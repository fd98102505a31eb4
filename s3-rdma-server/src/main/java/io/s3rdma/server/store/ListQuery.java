package io.s3rdma.server.store;

/**
 * What to list. Keys come in the order of their UTF-8 octets.
 *
 * @param startAfter exclusive; where it is a common prefix, all keys below it are left out too
 * @param delimiter empty for a flat listing
 * @param entriesMax keys and common prefixes together
 */
public record ListQuery(
    String bucket, String prefix, String startAfter, String delimiter, int entriesMax) {}
