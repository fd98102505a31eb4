package io.s3rdma.rdma;

/** Which protocol a GID table entry speaks. Only RoCE v2 (and InfiniBand) is routable by IP. */
public enum GidType {
  INFINIBAND,
  ROCE_V1,
  ROCE_V2;

  static GidType of(int code) {
    return switch (code) {
      case 0 -> INFINIBAND;
      case 1 -> ROCE_V1;
      default -> ROCE_V2;
    };
  }
}
