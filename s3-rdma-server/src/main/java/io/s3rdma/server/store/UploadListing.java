package io.s3rdma.server.store;

import java.util.List;

/** A page of uploads that are not completed; the markers begin the next page. */
public record UploadListing(
    List<UploadMeta> uploads,
    List<String> commonPrefixes,
    boolean isTruncated,
    String nextKeyMarker,
    String nextUploadIdMarker) {
  public UploadListing {
    uploads = List.copyOf(uploads);
    commonPrefixes = List.copyOf(commonPrefixes);
  }
}
