package io.s3rdma.rdma;

/**
 * A buffer registered for one protection domain.
 *
 * @param way how
 * @param region the region; closing this record closes it
 * @param baseAddress address by which work requests name the buffer's first byte
 * @param carriesWindows true if type 2 windows can be bound over it; else a transfer needs a
 *     registration of its own with the one right it needs, on a connection leased for it (P-4.11)
 */
public record BufferRegistration(
    RegistrationWay way, MemoryRegion region, long baseAddress, boolean carriesWindows)
    implements AutoCloseable {
  @Override
  public void close() {
    region.close();
  }
}
