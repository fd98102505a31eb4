package io.s3rdma.rdma;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/** State and limits of one port. Sizes in bytes. */
public record PortAttributes(
    long maxMessageBytes,
    boolean active,
    int activeMtuBytes,
    int maxMtuBytes,
    int gidCount,
    int lid,
    boolean ethernet,
    int state) {
  private static final StructLayout L = Layouts.PORT_ATTR;

  static PortAttributes read(MemorySegment s) {
    return new PortAttributes(
        Integer.toUnsignedLong(Layouts.getInt(s, L, "max_msg_bytes")),
        Layouts.getInt(s, L, "active") != 0,
        Layouts.getInt(s, L, "active_mtu_bytes"),
        Layouts.getInt(s, L, "max_mtu_bytes"),
        Layouts.getInt(s, L, "gid_count"),
        Layouts.getInt(s, L, "lid"),
        Layouts.getInt(s, L, "ethernet") != 0,
        Layouts.getInt(s, L, "state"));
  }
}
