package io.s3rdma.rdma.wire;

/**
 * The remote region a token names. Addresses are unsigned; the whole region lies below 2^64, so
 * that no sum of address and offset within it can wrap (P-3.4).
 *
 * @param address first byte, in the peer's address space
 * @param sizeBytes 1 or more
 * @param rkey the peer's key; a secret, never printed
 */
public record RemoteDescriptor(long address, long sizeBytes, int rkey) {
  /**
   * @throws WireFormatException if the region is empty or reaches past the address space
   */
  public RemoteDescriptor {
    if (sizeBytes < 1) {
      throw new WireFormatException("size", "not positive");
    }
    if (wraps(address, sizeBytes)) {
      throw new WireFormatException("size", "address + size overflows 64 bits");
    }
  }

  /** Whether {@code address + size} leaves the unsigned 64-bit range; size is not negative. */
  static boolean wraps(long address, long sizeBytes) {
    return Long.compareUnsigned(address + sizeBytes, address) < 0;
  }

  /**
   * Address of a part of the region.
   *
   * @throws IndexOutOfBoundsException if {@code offset + length} reaches past the region
   */
  public long addressOf(long offset, long length) {
    if (offset < 0 || length < 0 || length > sizeBytes || offset > sizeBytes - length) {
      throw new IndexOutOfBoundsException(
          "part [%d, +%d) of a region of %d bytes".formatted(offset, length, sizeBytes));
    }
    return address + offset;
  }

  @Override
  public String toString() {
    return "RemoteDescriptor[address=0x%x, sizeBytes=%d, rkey=hidden]"
        .formatted(address, sizeBytes);
  }
}
