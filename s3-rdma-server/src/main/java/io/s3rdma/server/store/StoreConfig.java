package io.s3rdma.server.store;

import java.nio.file.Path;

/** Settings of the local store; see the section {@code store} of reference.conf. */
public record StoreConfig(Path directory, Durability durability, long freeBytesMin) {
  /** What an answered write survives. */
  public enum Durability {
    /** Power loss: data, directory and metadata are synced before the answer. */
    COMMIT,
    /** The end of the process only. */
    NONE
  }
}
