package io.s3rdma.gpu;

import io.s3rdma.rdma.Access;
import io.s3rdma.rdma.BufferRegistration;
import io.s3rdma.rdma.MemoryRegion;
import io.s3rdma.rdma.ProtectionDomain;
import io.s3rdma.rdma.RdmaException;
import io.s3rdma.rdma.RegistrationWay;
import io.s3rdma.rdma.TransferRight;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes one GPU's memory reachable for a NIC: dma-buf, then peer memory, else a refusal that says
 * why each way failed, after which the caller stages.
 *
 * <p>A cause that lies in the GPU, the driver, the kernel or the NIC is remembered per RDMA device
 * and way, so it is probed once; a cause that lies in an address, a length or a momentary shortage
 * is not. Threads: any.
 */
final class RegistrationPlanner {
  /** System property: auto, or the one way to take; for tests and diagnosis. */
  static final String WAY_PROPERTY = "s3rdma.gpu.registration";

  private static final long PCIE_MAPPING = 1;
  private static final long DEFAULT_MAPPING = 0;
  private static final int EFAULT = 14;
  private static final int EINVAL = 22;

  /**
   * EPROTONOSUPPORT, EOPNOTSUPP, and the kernel's own ENOTSUPP, which leaks out of some drivers.
   */
  private static final Set<Integer> NOT_SUPPORTED = Set.of(93, 95, 524);

  private static final List<RegistrationWay> DIRECT_WAYS =
      List.of(RegistrationWay.DMA_BUF, RegistrationWay.PEER_MEMORY);

  private final CudaDevice device;
  private final Map<Probe, String> lasting = new ConcurrentHashMap<>();

  private record Probe(RegistrationWay way, String rdmaDevice) {}

  RegistrationPlanner(CudaDevice device) {
    this.device = device;
  }

  /** Why a way is not possible, and whether that holds for all memory of this GPU. */
  private static final class NotPossible extends Exception {
    private static final long serialVersionUID = 1L;
    private final boolean lasting;

    NotPossible(boolean lasting, String cause) {
      super(cause);
      this.lasting = lasting;
    }
  }

  BufferRegistration register(DeviceBuffer buffer, ProtectionDomain domain, TransferRight right) {
    StringJoiner causes = new StringJoiner("; ");
    for (RegistrationWay way : ways(right, causes)) {
      Probe probe = new Probe(way, domain.device().name());
      String known = lasting.get(probe);
      if (known != null) {
        causes.add(way + ": " + known);
        continue;
      }
      try {
        return way == RegistrationWay.DMA_BUF
            ? dmaBuf(buffer, domain, right)
            : peerMemory(buffer, domain, right);
      } catch (NotPossible e) {
        causes.add(way + ": " + e.getMessage());
        if (e.lasting) {
          lasting.put(probe, e.getMessage());
        }
      }
    }
    throw RdmaException.unsupported(
        buffer + " needs staging on " + domain.device().name() + ": " + causes);
  }

  private List<RegistrationWay> ways(TransferRight right, StringJoiner causes) {
    List<RegistrationWay> ways = forced();
    if (ways.isEmpty()) {
      causes.add(WAY_PROPERTY + " is staging");
    } else if (right == TransferRight.REMOTE_WRITE && device.fence() == WriteFence.IMPOSSIBLE) {
      causes.add(device + " neither orders nor flushes remote writes");
      return List.of();
    }
    return ways;
  }

  private static List<RegistrationWay> forced() {
    String way = System.getProperty(WAY_PROPERTY, "auto");
    return switch (way) {
      case "auto" -> DIRECT_WAYS;
      case "dma-buf" -> List.of(RegistrationWay.DMA_BUF);
      case "peer-memory" -> List.of(RegistrationWay.PEER_MEMORY);
      case "staging" -> List.of();
      default ->
          throw RdmaException.misuse(
              WAY_PROPERTY + " is '" + way + "'; known are auto, dma-buf, peer-memory, staging");
    };
  }

  // ---- dma-buf ----

  /**
   * Exports the whole allocation in host pages and registers the buffer's part of it. Offset and
   * address then agree within a page, as the kernel wants it, and a buffer inside an allocation
   * never lands on its neighbour. Such a region carries no windows.
   */
  private BufferRegistration dmaBuf(
      DeviceBuffer buffer, ProtectionDomain domain, TransferRight right) throws NotPossible {
    CudaDriver driver = device.driver();
    if (!driver.canExportDmaBuf()) {
      throw new NotPossible(
          true, "the driver, version " + driver.version() + ", is older than CUDA 11.7");
    }
    if (!device.dmaBuf()) {
      throw new NotPossible(
          true, device + " has no DMA_BUF_SUPPORTED; it needs the open kernel modules");
    }
    long page = HostSystem.pageBytes();
    long start;
    int fd;
    try (CudaDevice.Binding _ = device.bind()) {
      CudaDriver.AddressRange range = driver.addressRange(buffer.devicePointer());
      start = range.base() & -page;
      long end = (range.base() + range.lengthBytes() + page - 1) & -page;
      fd = export(driver, start, end - start);
    } catch (CudaException e) {
      throw new NotPossible(e.number() == CudaException.NOT_SUPPORTED, e.getMessage());
    }
    try {
      long address = buffer.devicePointer();
      MemoryRegion region =
          domain.registerDmaBuf(
              address - start, buffer.lengthBytes(), address, fd, right.regionAccess());
      return new BufferRegistration(RegistrationWay.DMA_BUF, region, address, false);
    } catch (RdmaException e) {
      throw refused(e, NOT_SUPPORTED.contains(e.errno()));
    } finally {
      HostSystem.close(fd);
    }
  }

  /** Where a GPU has two ways to its memory, a NIC needs the PCIe one; elsewhere the flag fails. */
  private static int export(CudaDriver driver, long start, long bytes) {
    try {
      return driver.exportDmaBuf(start, bytes, PCIE_MAPPING);
    } catch (CudaException e) {
      return driver.exportDmaBuf(start, bytes, DEFAULT_MAPPING);
    }
  }

  // ---- peer memory ----

  /**
   * Registers the device address itself, which the kernel's peer memory module takes. Without it
   * the address is no memory of this process: EFAULT.
   */
  private BufferRegistration peerMemory(
      DeviceBuffer buffer, ProtectionDomain domain, TransferRight right) throws NotPossible {
    if (!device.peerMemory()) {
      throw new NotPossible(true, device + " has no GPU_DIRECT_RDMA_SUPPORTED");
    }
    // A window serves both directions, so it also needs a fence after writes.
    if (domain.device().attributes().windowsType2() && device.fence() != WriteFence.IMPOSSIBLE) {
      try {
        return peerMemory(buffer, domain, Set.of(Access.LOCAL_WRITE, Access.WINDOW_BIND), true);
      } catch (RdmaException e) {
        if (e.errno() != EINVAL && !NOT_SUPPORTED.contains(e.errno())) {
          throw refusedAddress(buffer, e);
        }
      }
    }
    try {
      return peerMemory(buffer, domain, right.regionAccess(), false);
    } catch (RdmaException e) {
      throw refusedAddress(buffer, e);
    }
  }

  private static BufferRegistration peerMemory(
      DeviceBuffer buffer, ProtectionDomain domain, Set<Access> access, boolean windows) {
    long address = buffer.devicePointer();
    MemoryRegion region = domain.registerAddress(address, buffer.lengthBytes(), access);
    return new BufferRegistration(RegistrationWay.PEER_MEMORY, region, address, windows);
  }

  /** EFAULT on memory of the plain allocator says that the module is missing, so it will stay. */
  private static NotPossible refusedAddress(DeviceBuffer buffer, RdmaException e) {
    boolean noModule = e.errno() == EFAULT && buffer.allocated();
    return refused(e, noModule || NOT_SUPPORTED.contains(e.errno()));
  }

  /** A closed domain is a fault of the caller and no property of the memory. */
  private static NotPossible refused(RdmaException e, boolean lasting) {
    if (e.call().equals("check")) {
      throw e;
    }
    return new NotPossible(lasting, e.getMessage());
  }
}
