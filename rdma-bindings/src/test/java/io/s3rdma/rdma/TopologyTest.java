package io.s3rdma.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Distances in made-up trees of sysfs. */
final class TopologyTest {
  private static final MemoryPlace GPU = MemoryPlace.ofGpu("0000:3B:00.0"); // CUDA writes it so

  @TempDir private Path sys;

  @BeforeEach
  void gpu() throws IOException {
    // Two sockets; the GPU sits below a switch of the first one.
    pci("pci0000:3a/0000:3a:00.0/0000:3b:08.0/0000:3b:00.0", 0);
  }

  /** A PCI device at a path below /sys/devices, with the link to it by its address. */
  private Path pci(String path, int node) throws IOException {
    Path device = Files.createDirectories(sys.resolve("devices").resolve(path));
    Files.writeString(device.resolve("numa_node"), node + "\n");
    Path links = Files.createDirectories(sys.resolve("bus/pci/devices"));
    Files.createSymbolicLink(links.resolve(device.getFileName()), device);
    return device;
  }

  private void nic(String name, String path, int node) throws IOException {
    Path rdma = Files.createDirectories(sys.resolve("class/infiniband").resolve(name));
    Files.createSymbolicLink(rdma.resolve("device"), pci(path, node));
  }

  private int distance(String device, MemoryPlace place) {
    return Topology.under(sys).distance(device, place);
  }

  private static MemoryPlace hostMemory(int node) {
    return new MemoryPlace(Optional.empty(), OptionalInt.of(node));
  }

  @Test
  void shouldOrderByThePathToTheGpu() throws IOException {
    nic("same_switch", "pci0000:3a/0000:3a:00.0/0000:3b:09.0/0000:3c:00.0", 0);
    nic("same_root", "pci0000:3a/0000:3a:02.0/0000:5e:00.0", 0);
    nic("same_socket", "pci0000:17/0000:17:00.0/0000:18:00.0", 0);
    nic("other_socket", "pci0000:85/0000:85:00.0/0000:86:00.0", 1);

    assertThat(distance("same_switch", GPU)).isLessThan(distance("same_root", GPU));
    assertThat(distance("same_root", GPU)).isLessThan(distance("same_socket", GPU));
    assertThat(distance("same_socket", GPU)).isLessThan(distance("other_socket", GPU));
  }

  @Test
  void shouldOrderByTheNodeOfHostMemory() throws IOException {
    nic("near", "pci0000:85/0000:85:00.0/0000:86:00.0", 1);
    nic("far", "pci0000:17/0000:17:00.0/0000:18:00.0", 0);

    assertThat(distance("near", hostMemory(1))).isLessThan(distance("far", hostMemory(1)));
    assertThat(distance("far", hostMemory(0))).isLessThan(distance("near", hostMemory(0)));
    assertThat(Topology.under(sys).numaNode("near")).hasValue(1);
  }

  @Test
  void shouldCallEqualWhatIsNotKnown() throws IOException {
    nic("a", "pci0000:17/0000:17:00.0/0000:18:00.0", -1);
    nic("b", "pci0000:85/0000:85:00.0/0000:86:00.0", -1);

    assertThat(distance("a", hostMemory(0))).isEqualTo(distance("b", hostMemory(0)));
    assertThat(distance("a", MemoryPlace.UNKNOWN)).isEqualTo(distance("b", MemoryPlace.UNKNOWN));
    assertThat(distance("a", MemoryPlace.ofGpu("0000:99:00.0"))).isEqualTo(distance("none", GPU));
    assertThat(Topology.under(sys).numaNode("a")).isEmpty();
    assertThat(Topology.under(sys).numaNode("none")).isEmpty();
  }

  @Test
  void shouldPreferAKnownNearOneToAnUnknownOneAndThatToAFarOne() throws IOException {
    nic("near", "pci0000:17/0000:17:00.0/0000:18:00.0", 0);
    nic("far", "pci0000:85/0000:85:00.0/0000:86:00.0", 1);

    assertThat(distance("near", GPU)).isLessThan(distance("virtual", GPU));
    assertThat(distance("virtual", GPU)).isLessThan(distance("far", GPU));
  }

  @Test
  void shouldTakeTheNetworkDeviceOfASoftRoceDevice() throws IOException {
    Path nic = pci("pci0000:85/0000:85:00.0/0000:86:00.0", 1);
    Path net = Files.createDirectories(sys.resolve("class/net/eth3"));
    Files.createSymbolicLink(net.resolve("device"), nic);
    Path rdma = Files.createDirectories(sys.resolve("class/infiniband/rxe0"));
    Files.writeString(rdma.resolve("parent"), "eth3\n");

    assertThat(Topology.under(sys).numaNode("rxe0")).hasValue(1);
  }
}
