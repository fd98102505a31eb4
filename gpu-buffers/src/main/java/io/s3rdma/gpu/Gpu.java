package io.s3rdma.gpu;

import io.s3rdma.rdma.Availability;

/**
 * The entrance: is there a GPU, how many, and memory on them. The CUDA driver is loaded at the
 * first call; the system property {@code s3rdma.cuda.library} names another library than {@code
 * libcuda.so.1}. Thread-safe.
 *
 * <p>Not yet run on a GPU, see the package's description.
 */
public final class Gpu {
  /** System property: path of the CUDA driver library. Read once. */
  public static final String LIBRARY_PROPERTY = "s3rdma.cuda.library";

  private Gpu() {}

  private static final class Holder {
    static final GpuRuntime RUNTIME =
        GpuRuntime.load(System.getProperty(LIBRARY_PROPERTY, GpuRuntime.DEFAULT_LIBRARY));
  }

  /** Whether GPU memory can be used here, with the cause if not. Never throws. */
  public static Availability availability() {
    return Holder.RUNTIME.availability();
  }

  /** GPUs visible to this process; 0 where there is no driver. */
  public static int deviceCount() {
    return Holder.RUNTIME.deviceCount();
  }

  /**
   * Allocates memory on a GPU; its content is undefined.
   *
   * @param ordinal the GPU, as CUDA counts
   * @param lengthBytes at least 1
   */
  public static DeviceBuffer allocate(int ordinal, long lengthBytes) {
    return DeviceBuffer.allocate(Holder.RUNTIME.device(ordinal), lengthBytes);
  }

  /**
   * Uses device memory of the caller, for example of JCuda or a tensor library, who frees it after
   * this buffer is closed. The range must lie in one allocation of that GPU; managed, pinned and
   * other memory is refused. It may be any part of an allocation.
   *
   * @param devicePointer a CUdeviceptr
   */
  public static DeviceBuffer wrap(long devicePointer, long lengthBytes, int ordinal) {
    return DeviceBuffer.wrap(Holder.RUNTIME.device(ordinal), devicePointer, lengthBytes);
  }

  /** Allocates zeroed host memory that NICs and all GPUs reach directly; at least 1 byte. */
  public static PinnedBuffer allocatePinned(long lengthBytes) {
    return PinnedBuffer.allocate(Holder.RUNTIME.anyDevice(), lengthBytes);
  }
}
