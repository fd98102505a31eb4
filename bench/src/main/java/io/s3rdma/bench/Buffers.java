package io.s3rdma.bench;

import io.s3rdma.rdma.HostBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One buffer for each caller and size, allocated at its first use and kept: an application's
 * buffers are registered once. Slices of one would not be on Soft-RoCE, see docs/decisions.
 */
final class Buffers implements AutoCloseable {
  private record Key(int caller, long size) {}

  private final Map<Key, HostBuffer> buffers = new ConcurrentHashMap<>();

  HostBuffer of(int caller, long size) {
    return buffers.computeIfAbsent(new Key(caller, size), key -> filled(key.size));
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
