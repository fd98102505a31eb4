package io.s3rdma.rdma;

import io.s3rdma.rdma.wire.Gid;

/**
 * One entry of a port's GID table.
 *
 * @param netdev interface index of the network device, 0 where unknown
 */
public record GidEntry(Gid gid, int index, GidType type, int netdev) {}
