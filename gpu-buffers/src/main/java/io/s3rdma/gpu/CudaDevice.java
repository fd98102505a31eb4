package io.s3rdma.gpu;

import io.s3rdma.rdma.MemoryPlace;

/**
 * One GPU: its primary context (shared with the CUDA runtime, so with frameworks in this process),
 * what it can do, and the engines that work on it. Thread-safe.
 *
 * <p>The context is retained at the first use and kept until the runtime is closed: making it costs
 * hundreds of milliseconds.
 */
final class CudaDevice {
  private static final int PCI_BUS_ID = 33;
  private static final int PCI_DEVICE_ID = 34;
  private static final int PCI_DOMAIN_ID = 50;
  private static final int GPU_DIRECT_RDMA_SUPPORTED = 116;
  private static final int FLUSH_WRITES_OPTIONS = 117;
  private static final int WRITES_ORDERING = 118;
  private static final int DMA_BUF_SUPPORTED = 124;
  private static final int INVALID_CONTEXT = 201;
  private static final int CONTEXT_IS_DESTROYED = 709;

  private final CudaDriver driver;
  private final int ordinal;
  private final int handle;
  private final long context;
  private final boolean dmaBuf;
  private final boolean peerMemory;
  private final MemoryPlace place;
  private final WriteFence fence;
  private final RegistrationPlanner planner;
  private final CopyEngine copies;

  CudaDevice(CudaDriver driver, int ordinal) {
    this.driver = driver;
    this.ordinal = ordinal;
    this.handle = driver.device(ordinal);
    this.dmaBuf = driver.attribute(DMA_BUF_SUPPORTED, handle) != 0;
    this.peerMemory = driver.attribute(GPU_DIRECT_RDMA_SUPPORTED, handle) != 0;
    this.place = MemoryPlace.ofGpu(pciAddress());
    this.fence =
        WriteFence.of(
            driver.attribute(WRITES_ORDERING, handle),
            driver.attribute(FLUSH_WRITES_OPTIONS, handle),
            driver.canFlushRemoteWrites());
    this.planner = new RegistrationPlanner(this);
    this.copies = new CopyEngine(this);
    this.context = driver.retainPrimaryContext(handle);
  }

  /** As sysfs writes it; a GPU is function 0 of its device. */
  private String pciAddress() {
    return "%04x:%02x:%02x.0"
        .formatted(
            driver.attribute(PCI_DOMAIN_ID, handle),
            driver.attribute(PCI_BUS_ID, handle),
            driver.attribute(PCI_DEVICE_ID, handle));
  }

  /** A context made current; closing puts the caller's back. */
  static final class Binding implements AutoCloseable {
    private static final Binding NOTHING_TO_RESTORE = new Binding(null, 0);

    private final CudaDriver driver;
    private final long previous;

    private Binding(CudaDriver driver, long previous) {
      this.driver = driver;
      this.previous = previous;
    }

    @Override
    public void close() {
      if (driver == null) {
        return;
      }
      try {
        driver.setCurrentContext(previous);
      } catch (CudaException e) {
        // What was current may have been destroyed by its owner: then there is nothing to put back.
        if (e.number() != INVALID_CONTEXT && e.number() != CONTEXT_IS_DESTROYED) {
          throw e;
        }
      }
    }
  }

  /**
   * Makes this device's context current on the calling thread. Between this and the calls that need
   * it nothing may block in Java. A virtual thread owns no OS thread, so there is no context of its
   * own to put back.
   */
  Binding bind() {
    long previous = driver.currentContext();
    if (previous == context) {
      return Binding.NOTHING_TO_RESTORE;
    }
    driver.setCurrentContext(context);
    return previous == 0 || Thread.currentThread().isVirtual()
        ? Binding.NOTHING_TO_RESTORE
        : new Binding(driver, previous);
  }

  CudaDriver driver() {
    return driver;
  }

  int ordinal() {
    return ordinal;
  }

  /** Whether the driver exports this GPU's memory as a dma-buf. */
  boolean dmaBuf() {
    return dmaBuf;
  }

  /** Whether the GPU allows GPUDirect RDMA at all; not whether the peer memory module is there. */
  boolean peerMemory() {
    return peerMemory;
  }

  /** Where it is on the PCI bus. */
  MemoryPlace place() {
    return place;
  }

  WriteFence fence() {
    return fence;
  }

  RegistrationPlanner planner() {
    return planner;
  }

  CopyEngine copies() {
    return copies;
  }

  /** Lets the context go. */
  void release() {
    driver.releasePrimaryContext(handle);
  }

  @Override
  public String toString() {
    return "GPU " + ordinal;
  }
}
