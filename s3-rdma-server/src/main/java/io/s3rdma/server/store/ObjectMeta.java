package io.s3rdma.server.store;

import io.s3rdma.server.encryption.SealedKey;
import java.time.Instant;
import java.util.Map;

/**
 * One version of an object; what a reader opened stays this version.
 *
 * @param versionId {@link #NULL_VERSION} if versioning was off or suspended when it was written
 * @param sequence grows with each version of a key; the order of versions
 * @param layout where the bytes are
 * @param id names the data, never reused; empty for a delete marker
 * @param size octets; 0 for a delete marker
 * @param partCount 0 unless it was completed from parts
 * @param etag without quotes; empty for a delete marker
 * @param attributes headers to give back, lower-case names
 * @param checksums checksum header to base64 value, of the kind of {@code checksumType}
 * @param tags object tags
 * @param acl name of the canned ACL; empty is private
 * @param sealedKey of the key that the bytes are encrypted with, or of the parts' keys
 */
public record ObjectMeta(
    String bucket,
    String key,
    String versionId,
    long sequence,
    Layout layout,
    String id,
    long size,
    int partCount,
    String etag,
    Instant lastModified,
    Map<String, String> attributes,
    Map<String, String> checksums,
    ChecksumType checksumType,
    Map<String, String> tags,
    String acl,
    SealedKey sealedKey) {
  /** The version id of what was written without versioning. */
  public static final String NULL_VERSION = "null";

  /** Where a version's bytes are. */
  public enum Layout {
    /** In the metadata database. */
    INLINE,
    /** One file. */
    FILE,
    /** One file a part. */
    PARTS,
    /** It says that the key is deleted; it has no bytes. */
    DELETE_MARKER
  }

  public ObjectMeta {
    attributes = Map.copyOf(attributes);
    checksums = Map.copyOf(checksums);
    tags = Map.copyOf(tags);
  }

  public boolean isDeleteMarker() {
    return layout == Layout.DELETE_MARKER;
  }

  public ObjectRef ref() {
    return new ObjectRef(bucket, key, versionId);
  }

  public ObjectMeta withTags(Map<String, String> other) {
    return new ObjectMeta(
        bucket,
        key,
        versionId,
        sequence,
        layout,
        id,
        size,
        partCount,
        etag,
        lastModified,
        attributes,
        checksums,
        checksumType,
        other,
        acl,
        sealedKey);
  }

  public ObjectMeta withAcl(String other) {
    return new ObjectMeta(
        bucket,
        key,
        versionId,
        sequence,
        layout,
        id,
        size,
        partCount,
        etag,
        lastModified,
        attributes,
        checksums,
        checksumType,
        tags,
        other,
        sealedKey);
  }
}
