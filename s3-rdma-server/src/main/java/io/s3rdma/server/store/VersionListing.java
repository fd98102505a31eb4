package io.s3rdma.server.store;

import java.util.List;

/**
 * A page of versions and delete markers.
 *
 * @param nextKeyMarker and {@code nextVersionIdMarker} begin the next page; the version marker is
 *     empty behind a common prefix
 */
public record VersionListing(
    List<Entry> entries,
    List<String> commonPrefixes,
    boolean isTruncated,
    String nextKeyMarker,
    String nextVersionIdMarker) {
  public VersionListing {
    entries = List.copyOf(entries);
    commonPrefixes = List.copyOf(commonPrefixes);
  }

  /** A version and whether it is its key's latest. */
  public record Entry(ObjectMeta version, boolean isLatest) {}
}
