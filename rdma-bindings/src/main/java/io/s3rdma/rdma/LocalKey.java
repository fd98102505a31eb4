package io.s3rdma.rdma;

/**
 * The key that local work requests name a region by. Not a remote key, even where a device makes
 * them equal.
 */
public record LocalKey(int value) {
  @Override
  public String toString() {
    return "lkey";
  }
}
