package io.s3rdma.rdma;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/** A protection domain. Thread-safe. Owns regions, windows and queue pairs. */
public final class ProtectionDomain extends NativeObject {
  private final RdmaDevice device;

  ProtectionDomain(RdmaDevice device, long handle) {
    super(device, handle);
    this.device = device;
  }

  /** The device that owns this domain. */
  public RdmaDevice device() {
    return device;
  }

  /**
   * Registers native memory. The memory must stay mapped until the region is closed: the NIC does
   * not see an arena closing.
   *
   * @param memory a native segment, length at least 1
   */
  public MemoryRegion register(MemorySegment memory, Set<Access> access) {
    if (!memory.isNative() || memory.byteSize() == 0) {
      throw RdmaException.misuse(
          "only native memory of at least one byte can be registered, not " + memory);
    }
    return registerAddress(memory.address(), memory.byteSize(), access);
  }

  /** Registers memory by address; for device memory that the JVM cannot see. Lengths in bytes. */
  public MemoryRegion registerAddress(long address, long lengthBytes, Set<Access> access) {
    long mr = Shim.mrRegister(handle(), address, lengthBytes, Access.bits(access));
    return own(new MemoryRegion(this, mr, address, lengthBytes));
  }

  /**
   * Registers a range of a dma-buf. Such a region cannot carry memory windows.
   *
   * @param offset start within the dma-buf
   * @param iova the address by which work requests name the first byte; same offset within a page
   *     as {@code offset}
   * @param fd may be closed after the call
   */
  public MemoryRegion registerDmaBuf(
      long offset, long lengthBytes, long iova, int fd, Set<Access> access) {
    long mr = Shim.mrRegisterDmaBuf(handle(), offset, lengthBytes, iova, fd, Access.bits(access));
    return own(new MemoryRegion(this, mr, iova, lengthBytes));
  }

  private static MemoryRegion own(MemoryRegion region) {
    region.attach();
    return region;
  }

  /** A type 2 memory window, unbound. */
  public MemoryWindow allocateWindow() {
    MemoryWindow window = new MemoryWindow(this, Shim.mwAlloc(handle()));
    window.attach();
    return window;
  }

  /**
   * An RC queue pair in state RESET.
   *
   * @param sendDepth work requests it can hold; credits are counted from this figure, whatever the
   *     provider grants
   */
  public QueuePair createQueuePair(CompletionQueue queue, int sendDepth) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment caps = arena.allocate(Layouts.QP_CAPS);
      Layouts.setInt(caps, Layouts.QP_CAPS, "max_send_wr", sendDepth);
      Layouts.setInt(caps, Layouts.QP_CAPS, "max_recv_wr", 1);
      Layouts.setInt(caps, Layouts.QP_CAPS, "max_send_sge", 1);
      Layouts.setInt(caps, Layouts.QP_CAPS, "max_recv_sge", 1);
      long qp = Shim.qpCreate(handle(), queue.handle(), queue.handle(), caps);
      QueuePair pair = new QueuePair(this, queue, qp, Shim.qpNumber(qp), sendDepth);
      pair.attach();
      return pair;
    }
  }

  @Override
  void destroy(long handle) {
    Shim.pdFree(handle);
  }

  @Override
  public String toString() {
    return "protection domain of " + device.name();
  }
}
