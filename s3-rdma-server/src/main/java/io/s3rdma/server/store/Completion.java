package io.s3rdma.server.store;

import java.util.List;
import java.util.Map;

/**
 * A wish to complete an upload.
 *
 * @param parts in ascending order of their numbers; gaps are allowed
 * @param checksums to keep with the object
 * @param partBytesMin what every part but the last must have
 */
public record Completion(
    String bucket,
    String key,
    String uploadId,
    List<PartClaim> parts,
    Preconditions preconditions,
    Map<String, String> checksums,
    ChecksumType checksumType,
    long partBytesMin) {
  public Completion {
    parts = List.copyOf(parts);
    checksums = Map.copyOf(checksums);
  }
}
