package io.s3rdma.rdma;

import java.util.List;

/** The entrance: is RDMA usable here, which devices are there, open one. Thread-safe. */
public final class Rdma {
  private Rdma() {}

  /** Whether the native library loads, with the cause if it does not. Never throws. */
  public static Availability libraryAvailability() {
    return NativeLibrary.get().availability();
  }

  /** Whether the library loads and at least one device is there, with the cause if not. */
  public static Availability availability() {
    Availability library = libraryAvailability();
    if (!library.available()) {
      return library;
    }
    try {
      return deviceNames().isEmpty()
          ? Availability.no(
              "libibverbs shows no RDMA device; on plain Linux 'modprobe rdma_rxe' and 'rdma link add rxe0 type rxe"
                  + " netdev eth0' make a Soft-RoCE one")
          : Availability.yes();
    } catch (RdmaException e) {
      return Availability.no(e.getMessage());
    }
  }

  /** "verbs" for libibverbs, "fake" for the in-process device of the tests. */
  public static String provider() {
    return requireLibrary().provider();
  }

  /** Names of the devices, in the order of libibverbs; empty where there are none. */
  public static List<String> deviceNames() {
    requireLibrary();
    return Shim.deviceList();
  }

  /**
   * Opens a device. The caller closes it, children first. Change credentials before this call:
   * kernels refuse to post on a device opened under others.
   *
   * @throws RdmaException if there is no such device or it cannot be opened
   */
  public static RdmaDevice open(String name) {
    requireLibrary();
    return new RdmaDevice(name);
  }

  /** Native objects alive in this process by kind; for leak tests and metrics. */
  public static LiveObjects liveObjects() {
    requireLibrary();
    return Shim.liveObjects();
  }

  private static NativeLibrary requireLibrary() {
    NativeLibrary library = NativeLibrary.get();
    if (!library.availability().available()) {
      throw RdmaException.unavailable(library.availability().cause());
    }
    return library;
  }
}
