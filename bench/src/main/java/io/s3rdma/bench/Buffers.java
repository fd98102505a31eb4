package io.s3rdma.bench;

import io.s3rdma.rdma.HostBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * One buffer for each size, allocated at its first use and kept: an application's buffers are
 * registered once. Slices of one would not be on Soft-RoCE, see docs/decisions. Not thread-safe.
 */
final class Buffers implements AutoCloseable {
  private final Map<Long, HostBuffer> buffers = new HashMap<>();

  HostBuffer of(long size) {
    return buffers.computeIfAbsent(size, Buffers::filled);
  }

  private static HostBuffer filled(long size) {
    HostBuffer buffer = HostBuffer.allocate(size);
    buffer.segment().fill((byte) 7);
    return buffer;
  }

  @Override
  public void close() {
    buffers.values().forEach(HostBuffer::close);
    buffers.clear();
  }
}
