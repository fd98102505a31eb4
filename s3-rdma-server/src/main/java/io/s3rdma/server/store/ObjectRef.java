package io.s3rdma.server.store;

import java.util.Objects;

/**
 * A name of an object.
 *
 * @param versionId empty for the current version; {@link ObjectMeta#NULL_VERSION} names the one
 *     version that was written while versioning was off or suspended
 */
public record ObjectRef(String bucket, String key, String versionId) {
  public ObjectRef {
    Objects.requireNonNull(bucket);
    Objects.requireNonNull(key);
    Objects.requireNonNull(versionId);
  }

  /** The current version, whichever that is. */
  public static ObjectRef current(String bucket, String key) {
    return new ObjectRef(bucket, key, "");
  }

  public boolean isCurrent() {
    return versionId.isEmpty();
  }

  @Override
  public String toString() {
    return bucket + "/" + key + (isCurrent() ? "" : " version " + versionId);
  }
}
