package io.s3rdma.server.store;

import java.time.Instant;
import java.util.Map;

/**
 * One part of a multipart upload, or of the object that was completed from it.
 *
 * @param number from 1 to 10,000; an object's parts may have gaps
 * @param fileId names the data file; empty for a part of no bytes
 * @param etag without quotes
 * @param checksums checksum header to base64 value over the part
 * @param salt of the key that the bytes are encrypted with; empty if they are not
 */
public record PartMeta(
    int number,
    String fileId,
    long size,
    String etag,
    Instant lastModified,
    Map<String, String> checksums,
    String salt) {
  public PartMeta {
    checksums = Map.copyOf(checksums);
  }
}
