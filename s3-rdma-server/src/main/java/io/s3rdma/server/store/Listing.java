package io.s3rdma.server.store;

import java.util.List;

/**
 * A page of a listing.
 *
 * @param last the last key or common prefix of the page, to start the next after; empty if none
 */
public record Listing(
    List<ObjectMeta> objects, List<String> commonPrefixes, boolean isTruncated, String last) {
  public Listing {
    objects = List.copyOf(objects);
    commonPrefixes = List.copyOf(commonPrefixes);
  }
}
