package io.s3rdma.rdma;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * Where memory is, as far as that is known: for the choice of a near NIC.
 *
 * @param pciAddress of the GPU whose memory it is, {@code 0000:17:00.0}
 * @param numaNode of host memory
 */
public record MemoryPlace(Optional<String> pciAddress, OptionalInt numaNode) {
  /** Nothing is known. */
  public static final MemoryPlace UNKNOWN = new MemoryPlace(Optional.empty(), OptionalInt.empty());

  /** Memory of a GPU. */
  public static MemoryPlace ofGpu(String pciAddress) {
    return new MemoryPlace(Optional.of(pciAddress), OptionalInt.empty());
  }
}
