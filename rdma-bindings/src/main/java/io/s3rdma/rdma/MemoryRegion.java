package io.s3rdma.rdma;

/** Registered memory. Immutable; closing deregisters, after which no peer can reach the bytes. */
public final class MemoryRegion extends NativeObject {
  private final long address;
  private final long lengthBytes;
  private final LocalKey localKey;
  private final RemoteKey remoteKey;

  MemoryRegion(ProtectionDomain domain, long handle, long address, long lengthBytes) {
    super(domain, handle);
    long keys = Shim.mrKeys(handle);
    this.address = address;
    this.lengthBytes = lengthBytes;
    this.localKey = new LocalKey((int) keys);
    this.remoteKey = new RemoteKey((int) (keys >>> 32));
  }

  /** Address of the first byte as work requests name it. */
  public long address() {
    return address;
  }

  public long lengthBytes() {
    return lengthBytes;
  }

  public LocalKey localKey() {
    return localKey;
  }

  public RemoteKey remoteKey() {
    return remoteKey;
  }

  @Override
  void destroy(long handle) {
    Shim.mrDeregister(handle);
  }

  @Override
  public String toString() {
    return "memory region of " + lengthBytes + " bytes";
  }
}
