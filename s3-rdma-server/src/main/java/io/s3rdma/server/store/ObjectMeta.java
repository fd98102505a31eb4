package io.s3rdma.server.store;

import java.time.Instant;
import java.util.Map;

/**
 * One version of an object; what a reader opened stays this version.
 *
 * @param id names the data, never reused
 * @param etag without quotes
 * @param attributes headers to give back, lower-case names
 * @param checksums checksum header to base64 value over the whole object
 */
public record ObjectMeta(
    String bucket,
    String key,
    String id,
    long size,
    String etag,
    Instant lastModified,
    Map<String, String> attributes,
    Map<String, String> checksums) {
  public ObjectMeta {
    attributes = Map.copyOf(attributes);
    checksums = Map.copyOf(checksums);
  }
}
