package io.s3rdma.rdma;

import java.util.Set;

/** Rights on registered memory or a queue pair. */
public enum Access {
  LOCAL_WRITE(1),
  REMOTE_WRITE(2),
  REMOTE_READ(4),
  WINDOW_BIND(8),
  RELAXED_ORDERING(16);

  private final int bit;

  Access(int bit) {
    this.bit = bit;
  }

  static int bits(Set<Access> rights) {
    int bits = 0;
    for (Access right : rights) {
      bits |= right.bit;
    }
    return bits;
  }

  static Set<Access> ofBits(int bits) {
    Set<Access> rights = java.util.EnumSet.noneOf(Access.class);
    for (Access right : values()) {
      if ((bits & right.bit) != 0) {
        rights.add(right);
      }
    }
    return rights;
  }
}
