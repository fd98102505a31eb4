package io.s3rdma.gpu;

import io.s3rdma.rdma.Availability;
import io.s3rdma.rdma.RdmaException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A driver library, loaded or not, and the devices in use. {@link Gpu} holds the one of the
 * process; tests load their own. Thread-safe.
 */
final class GpuRuntime implements AutoCloseable {
  static final String DEFAULT_LIBRARY = "libcuda.so.1";

  private final CudaDriver driver;
  private final Availability availability;
  private final int deviceCount;
  private final SortedMap<Integer, CudaDevice> devices = new TreeMap<>();

  private GpuRuntime(CudaDriver driver, Availability availability, int deviceCount) {
    this.driver = driver;
    this.availability = availability;
    this.deviceCount = deviceCount;
  }

  /**
   * Loads a driver; never throws, the cause is kept.
   *
   * @param library a path, or a name that the dynamic linker finds
   */
  static GpuRuntime load(String library) {
    if (!System.getProperty("os.name").equals("Linux")) {
      return unavailable("GPU buffers need Linux, this is " + System.getProperty("os.name"));
    }
    try {
      CudaDriver driver = new CudaDriver(open(library));
      driver.init();
      int count = driver.deviceCount();
      return count > 0
          ? new GpuRuntime(driver, new Availability(true, ""), count)
          : unavailable(library + " shows no GPU; look at nvidia-smi and CUDA_VISIBLE_DEVICES");
    } catch (IllegalCallerException e) {
      return unavailable(
          "native access is denied; start Java with --enable-native-access=ALL-UNNAMED");
    } catch (IllegalArgumentException | IllegalStateException e) {
      return unavailable(
          library + " does not load (" + e.getMessage() + "); it comes with the NVIDIA driver");
    } catch (CudaException e) {
      return unavailable(e.getMessage());
    }
  }

  @SuppressWarnings("restricted")
  private static SymbolLookup open(String library) {
    return library.indexOf('/') >= 0
        ? SymbolLookup.libraryLookup(Path.of(library), Arena.global())
        : SymbolLookup.libraryLookup(library, Arena.global());
  }

  private static GpuRuntime unavailable(String cause) {
    return new GpuRuntime(null, new Availability(false, cause), 0);
  }

  Availability availability() {
    return availability;
  }

  /** GPUs visible; 0 if there is no driver. */
  int deviceCount() {
    return deviceCount;
  }

  /** The GPU of an ordinal; its context is retained from now on. */
  synchronized CudaDevice device(int ordinal) {
    if (!availability.available()) {
      throw CudaException.unavailable(availability.cause());
    }
    if (ordinal < 0 || ordinal >= deviceCount) {
      throw RdmaException.misuse(
          "there is no GPU " + ordinal + "; ordinals are 0 to " + (deviceCount - 1));
    }
    CudaDevice device = devices.get(ordinal);
    if (device == null) {
      device = new CudaDevice(driver, ordinal);
      devices.put(ordinal, device);
    }
    return device;
  }

  /** A GPU for work that any of them can do: one in use, so that no other gets a context for it. */
  synchronized CudaDevice anyDevice() {
    return device(devices.isEmpty() ? 0 : devices.firstKey());
  }

  /** Lets the contexts go; all buffers are closed before. Idempotent. */
  @Override
  public synchronized void close() {
    devices.values().forEach(CudaDevice::release);
    devices.clear();
  }
}
