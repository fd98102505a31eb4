package io.s3rdma.gpu;

import io.s3rdma.rdma.TransferBuffer;
import java.io.PrintStream;

/** Uses {@link Gpu} in a JVM of its own and prints what it says. */
final class GpuProbe {
  private GpuProbe() {}

  public static void main(String[] args) {
    PrintStream out = System.out;
    out.println(Gpu.availability());
    out.println(Gpu.availability());
    out.println(Gpu.deviceCount());
    try (DeviceBuffer device = Gpu.allocate(1, 100);
        DeviceBuffer wrapped = Gpu.wrap(device.devicePointer() + 10, 50, 1);
        PinnedBuffer pinned = Gpu.allocatePinned(30)) {
      out.println(text(device) + " " + text(wrapped) + " " + text(pinned));
    } catch (CudaException e) {
      out.println(e.getClass().getName());
    }
  }

  private static String text(TransferBuffer buffer) {
    return buffer.kind() + " " + buffer.lengthBytes();
  }
}
