package io.s3rdma.server.store;

import java.nio.file.Path;
import java.util.Map;

/**
 * Settings of the local store; see the section {@code store} of reference.conf.
 *
 * @param inlineBytesMax up to this an object lives in the metadata; -1 for never
 * @param bucketBytesMaxDefault what a bucket may hold; 0 for no limit
 * @param bucketBytesMax the same for buckets by name
 * @param scrubIntervalHours how often all data files are read again; 0 for never
 */
public record StoreConfig(
    Path directory,
    Durability durability,
    long freeBytesMin,
    int inlineBytesMax,
    long bucketBytesMaxDefault,
    Map<String, Long> bucketBytesMax,
    int scrubIntervalHours,
    long scrubBytesPerSecond) {
  /** What an answered write survives. */
  public enum Durability {
    /** Power loss: data, directory and metadata are synced before the answer. */
    COMMIT,
    /** The end of the process only. */
    NONE
  }

  public StoreConfig {
    bucketBytesMax = Map.copyOf(bucketBytesMax);
  }
}
