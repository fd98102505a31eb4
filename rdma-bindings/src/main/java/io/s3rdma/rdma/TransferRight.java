package io.s3rdma.rdma;

import java.util.Set;

/** The one right that a transfer's peer gets on our memory. P-4.11: never both. */
public enum TransferRight {
  /** GET: the server WRITEs into our memory. */
  REMOTE_WRITE(Access.REMOTE_WRITE),
  /** PUT: the server READs our memory. */
  REMOTE_READ(Access.REMOTE_READ);

  private final Access access;

  TransferRight(Access access) {
    this.access = access;
  }

  Access access() {
    return access;
  }

  /**
   * Rights of a region that carries this transfer without a window; writing needs LOCAL_WRITE too.
   */
  public Set<Access> regionAccess() {
    return this == REMOTE_WRITE
        ? Set.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE)
        : Set.of(Access.REMOTE_READ);
  }
}
