package io.s3rdma.rdma;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How near RDMA devices are to memory, from sysfs. Reads files only; thread-safe.
 *
 * <p>Two PCI devices are as far from each other as there are bridges between them: two below one
 * switch need not go through the processor. Devices under different root complexes are farther, on
 * different NUMA nodes farthest.
 */
public final class Topology {
  private static final int SAME_NODE = 100;
  private static final int UNKNOWN = 150;
  private static final int OTHER_NODE = 200;

  private final Path sys;

  private Topology(Path sys) {
    this.sys = sys;
  }

  /** This machine's. */
  public static Topology ofSystem() {
    return new Topology(Path.of("/sys"));
  }

  /** Of a folder of the same form. */
  public static Topology under(Path sys) {
    return new Topology(sys);
  }

  /** NUMA node of an RDMA device; empty for virtual ones and where there is but one node. */
  public OptionalInt numaNode(String rdmaDevice) {
    return pathOf(rdmaDevice).map(this::nodeAt).orElse(OptionalInt.empty());
  }

  /**
   * How far an RDMA device is from memory: comparable with other results of this method only. Equal
   * where nothing is known.
   */
  public int distance(String rdmaDevice, MemoryPlace place) {
    Optional<Path> device = pathOf(rdmaDevice);
    if (device.isEmpty()) {
      return UNKNOWN;
    }
    if (place.pciAddress().isEmpty()) {
      return byNode(nodeAt(device.get()), place.numaNode());
    }
    String address = place.pciAddress().get().toLowerCase(Locale.ROOT);
    Optional<Path> gpu = real(sys.resolve("bus/pci/devices").resolve(address));
    return gpu.map(to -> between(device.get(), to)).orElse(UNKNOWN);
  }

  private int between(Path device, Path gpu) {
    int common = 0;
    while (common < Math.min(device.getNameCount(), gpu.getNameCount())
        && device.getName(common).equals(gpu.getName(common))) {
      common++;
    }
    // .../devices/pciDDDD:BB is the root complex: the last common folder must be it, or below it.
    boolean sameRoot = common > 0 && isBelowRoot(device, common);
    return sameRoot
        ? Math.min(SAME_NODE - 1, device.getNameCount() + gpu.getNameCount() - 2 * common)
        : byNode(nodeAt(device), nodeAt(gpu));
  }

  private static boolean isBelowRoot(Path path, int names) {
    for (int i = 0; i < names; i++) {
      if (path.getName(i).toString().startsWith("pci")) {
        return true;
      }
    }
    return false;
  }

  private static int byNode(OptionalInt a, OptionalInt b) {
    if (a.isEmpty() || b.isEmpty()) {
      return UNKNOWN;
    }
    return a.getAsInt() == b.getAsInt() ? SAME_NODE : OTHER_NODE;
  }

  private OptionalInt nodeAt(Path device) {
    return text(device.resolve("numa_node"))
        .filter(t -> t.matches("[0-9]{1,4}")) // -1: the machine has none
        .map(t -> OptionalInt.of(Integer.parseInt(t)))
        .orElse(OptionalInt.empty());
  }

  /** The device's own folder, or that of the network device under a Soft-RoCE one. */
  private Optional<Path> pathOf(String rdmaDevice) {
    Path device = sys.resolve("class/infiniband").resolve(rdmaDevice);
    return real(device.resolve("device"))
        .or(
            () ->
                text(device.resolve("parent"))
                    .flatMap(netdev -> real(sys.resolve("class/net").resolve(netdev + "/device"))));
  }

  private static Optional<Path> real(Path link) {
    try {
      return Optional.of(link.toRealPath());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static Optional<String> text(Path file) {
    try {
      return Optional.of(Files.readString(file).strip());
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
