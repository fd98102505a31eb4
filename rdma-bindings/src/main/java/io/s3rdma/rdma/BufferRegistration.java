package io.s3rdma.rdma;

import java.lang.foreign.MemorySegment;
import java.util.Set;

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
  /**
   * Registers host memory: where windows are to be had without any remote right of its own, so that
   * a peer gets in only through a window (P-4.11).
   */
  public static BufferRegistration ofHostMemory(
      ProtectionDomain domain, MemorySegment memory, TransferRight right) {
    boolean windows = domain.device().attributes().windowsType2();
    Set<Access> access =
        windows ? Set.of(Access.LOCAL_WRITE, Access.WINDOW_BIND) : right.regionAccess();
    return new BufferRegistration(
        RegistrationWay.HOST, domain.register(memory, access), memory.address(), windows);
  }

  @Override
  public void close() {
    region.close();
  }
}
