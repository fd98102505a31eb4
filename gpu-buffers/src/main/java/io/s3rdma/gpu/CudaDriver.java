package io.s3rdma.gpu;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;

/**
 * Every call into one loaded CUDA driver library, one method per function; nothing else in the
 * project calls it. A result other than success becomes a {@link CudaException}.
 *
 * <p>Threads: any. The driver keeps the current context per OS thread, so a caller makes it current
 * ({@link CudaDevice#bind}) right before a call and does nothing that blocks in Java in between: a
 * virtual thread may continue on another carrier after that. Pointers are {@code long}s: device
 * pointers are no addresses for the CPU, and the owners of pinned memory keep it alive.
 */
final class CudaDriver {
  private static final int NOT_READY = 600;

  private final SymbolLookup symbols;
  private final ThreadLocal<MemorySegment> scratch =
      ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(JAVA_LONG));
  private final Function errorName;
  private final Function errorString;
  private final Function init;
  private final Function driverGetVersion;
  private final Function deviceGetCount;
  private final Function deviceGet;
  private final Function deviceGetAttribute;
  private final Function primaryCtxRetain;
  private final Function primaryCtxRelease;
  private final Function ctxSetCurrent;
  private final Function ctxGetCurrent;
  private final Function memAlloc;
  private final Function memFree;
  private final Function memHostAlloc;
  private final Function memFreeHost;
  private final Function copyToDevice;
  private final Function copyToHost;
  private final Function streamCreate;
  private final Function streamDestroy;
  private final Function streamSynchronize;
  private final Function eventCreate;
  private final Function eventRecord;
  private final Function eventQuery;
  private final Function eventSynchronize;
  private final Function eventDestroy;
  private final Function pointerGetAttribute;
  private final Function pointerSetAttribute;
  private final Function getAddressRange;
  private final Function getHandle;
  private final Function flushWrites;

  private record Function(String name, MethodHandle handle) {
    boolean missing() {
      return handle == null;
    }
  }

  /** An allocation as the driver knows it. */
  record AddressRange(long base, long lengthBytes) {}

  /** What a call does with the native handle. */
  private interface Call {
    int run() throws Throwable;
  }

  /** The same for a call that writes a value. */
  private interface OutCall {
    int run(MemorySegment out) throws Throwable;
  }

  /**
   * Binds all functions.
   *
   * @throws IllegalStateException if the library lacks one that is needed
   * @throws IllegalCallerException if native access is denied
   */
  CudaDriver(SymbolLookup symbols) {
    this.symbols = symbols;
    errorName = required("cuGetErrorName", JAVA_INT, ADDRESS);
    errorString = required("cuGetErrorString", JAVA_INT, ADDRESS);
    init = required("cuInit", JAVA_INT);
    driverGetVersion = required("cuDriverGetVersion", ADDRESS);
    deviceGetCount = required("cuDeviceGetCount", ADDRESS);
    deviceGet = required("cuDeviceGet", ADDRESS, JAVA_INT);
    deviceGetAttribute = required("cuDeviceGetAttribute", ADDRESS, JAVA_INT, JAVA_INT);
    primaryCtxRetain = required("cuDevicePrimaryCtxRetain", ADDRESS, JAVA_INT);
    primaryCtxRelease = required("cuDevicePrimaryCtxRelease_v2", JAVA_INT);
    ctxSetCurrent = required("cuCtxSetCurrent", JAVA_LONG);
    ctxGetCurrent = required("cuCtxGetCurrent", ADDRESS);
    memAlloc = required("cuMemAlloc_v2", ADDRESS, JAVA_LONG);
    memFree = required("cuMemFree_v2", JAVA_LONG);
    memHostAlloc = required("cuMemHostAlloc", ADDRESS, JAVA_LONG, JAVA_INT);
    memFreeHost = required("cuMemFreeHost", JAVA_LONG);
    copyToDevice = required("cuMemcpyHtoDAsync_v2", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    copyToHost = required("cuMemcpyDtoHAsync_v2", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    streamCreate = required("cuStreamCreate", ADDRESS, JAVA_INT);
    streamDestroy = required("cuStreamDestroy_v2", JAVA_LONG);
    streamSynchronize = required("cuStreamSynchronize", JAVA_LONG);
    eventCreate = required("cuEventCreate", ADDRESS, JAVA_INT);
    eventRecord = required("cuEventRecord", JAVA_LONG, JAVA_LONG);
    eventQuery = required("cuEventQuery", JAVA_LONG);
    eventSynchronize = required("cuEventSynchronize", JAVA_LONG);
    eventDestroy = required("cuEventDestroy_v2", JAVA_LONG);
    pointerGetAttribute = required("cuPointerGetAttribute", ADDRESS, JAVA_INT, JAVA_LONG);
    pointerSetAttribute = required("cuPointerSetAttribute", ADDRESS, JAVA_INT, JAVA_LONG);
    getAddressRange = required("cuMemGetAddressRange_v2", ADDRESS, ADDRESS, JAVA_LONG);
    getHandle =
        optional(
            "cuMemGetHandleForAddressRange", ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);
    flushWrites = optional("cuFlushGPUDirectRDMAWrites", JAVA_INT, JAVA_INT);
  }

  private Function required(String name, MemoryLayout... arguments) {
    Function function = optional(name, arguments);
    if (function.missing()) {
      throw new IllegalStateException("it lacks " + name);
    }
    return function;
  }

  @SuppressWarnings("restricted")
  private Function optional(String name, MemoryLayout... arguments) {
    FunctionDescriptor descriptor = FunctionDescriptor.of(JAVA_INT, arguments);
    return symbols
        .find(name)
        .map(at -> new Function(name, Linker.nativeLinker().downcallHandle(at, descriptor)))
        .orElse(new Function(name, null));
  }

  // ---- shapes ----

  private void check(Function function, Call call) {
    int result = run(call);
    if (result != 0) {
      throw failure(function.name, result);
    }
  }

  private static int run(Call call) {
    try {
      return call.run();
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("downcall failed: " + e, e);
    }
  }

  private CudaException failure(String call, int number) {
    return CudaException.ofCall(call, number, text(errorName, number), text(errorString, number));
  }

  @SuppressWarnings("restricted")
  private String text(Function function, int number) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(ADDRESS);
      int result = run(() -> (int) function.handle.invokeExact(number, out));
      return result == 0
          ? out.get(ADDRESS, 0).reinterpret(256).getString(0, StandardCharsets.US_ASCII)
          : "unknown to this driver";
    }
  }

  /** The 8 bytes that a function writes; functions that write 4 leave the upper half zero. */
  private long out(Function function, OutCall call) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(JAVA_LONG);
      check(function, () -> call.run(out));
      return out.get(JAVA_LONG, 0);
    }
  }

  private void call(Function function, long argument) {
    check(function, () -> (int) function.handle.invokeExact(argument));
  }

  // ---- start and devices ----

  void init() {
    check(init, () -> (int) init.handle.invokeExact(0));
  }

  /** 1000 * major + 10 * minor. */
  int version() {
    return (int) out(driverGetVersion, o -> (int) driverGetVersion.handle.invokeExact(o));
  }

  int deviceCount() {
    return (int) out(deviceGetCount, o -> (int) deviceGetCount.handle.invokeExact(o));
  }

  int device(int ordinal) {
    return (int) out(deviceGet, o -> (int) deviceGet.handle.invokeExact(o, ordinal));
  }

  /** An attribute's value; 0 where the driver is older than the attribute. */
  int attribute(int attribute, int device) {
    try {
      return (int)
          out(
              deviceGetAttribute,
              o -> (int) deviceGetAttribute.handle.invokeExact(o, attribute, device));
    } catch (CudaException e) {
      if (e.number() == CudaException.INVALID_VALUE) {
        return 0;
      }
      throw e;
    }
  }

  // ---- contexts ----

  long retainPrimaryContext(int device) {
    return out(primaryCtxRetain, o -> (int) primaryCtxRetain.handle.invokeExact(o, device));
  }

  void releasePrimaryContext(int device) {
    check(primaryCtxRelease, () -> (int) primaryCtxRelease.handle.invokeExact(device));
  }

  /** The calling OS thread's context, 0 if none. Cheap: no allocation. */
  long currentContext() {
    MemorySegment out = scratch.get();
    check(ctxGetCurrent, () -> (int) ctxGetCurrent.handle.invokeExact(out));
    return out.get(JAVA_LONG, 0);
  }

  void setCurrentContext(long context) {
    call(ctxSetCurrent, context);
  }

  // ---- memory ----

  long allocate(long bytes) {
    return out(memAlloc, o -> (int) memAlloc.handle.invokeExact(o, bytes));
  }

  void free(long devicePointer) {
    call(memFree, devicePointer);
  }

  /** Pinned for all contexts (PORTABLE). */
  long allocatePinned(long bytes) {
    return out(memHostAlloc, o -> (int) memHostAlloc.handle.invokeExact(o, bytes, 1));
  }

  void freePinned(long address) {
    call(memFreeHost, address);
  }

  void copyToDevice(long devicePointer, long pinnedAddress, long bytes, long stream) {
    check(
        copyToDevice,
        () -> (int) copyToDevice.handle.invokeExact(devicePointer, pinnedAddress, bytes, stream));
  }

  void copyToHost(long pinnedAddress, long devicePointer, long bytes, long stream) {
    check(
        copyToHost,
        () -> (int) copyToHost.handle.invokeExact(pinnedAddress, devicePointer, bytes, stream));
  }

  // ---- pointers ----

  /** What the pointer is; the number is a CUpointer_attribute. */
  long pointerAttribute(int attribute, long pointer) {
    return out(
        pointerGetAttribute,
        o -> (int) pointerGetAttribute.handle.invokeExact(o, attribute, pointer));
  }

  void setPointerAttribute(int attribute, long pointer, int value) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment in = arena.allocateFrom(JAVA_INT, value);
      check(
          pointerSetAttribute,
          () -> (int) pointerSetAttribute.handle.invokeExact(in, attribute, pointer));
    }
  }

  /** The allocation around a pointer; one segment only of memory mapped from several. */
  AddressRange addressRange(long pointer) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment base = arena.allocate(JAVA_LONG);
      MemorySegment size = arena.allocate(JAVA_LONG);
      check(getAddressRange, () -> (int) getAddressRange.handle.invokeExact(base, size, pointer));
      return new AddressRange(base.get(JAVA_LONG, 0), size.get(JAVA_LONG, 0));
    }
  }

  boolean canExportDmaBuf() {
    return !getHandle.missing();
  }

  /**
   * Exports a range, whole host pages, as a dma-buf.
   *
   * @param flags 1 for a mapping through the PCIe BAR, else 0
   * @return a file descriptor, owned by the caller
   */
  int exportDmaBuf(long pointer, long bytes, long flags) {
    int dmaBufFd = 1;
    return (int)
        out(getHandle, o -> (int) getHandle.handle.invokeExact(o, pointer, bytes, dmaBufFd, flags));
  }

  // ---- streams and events ----

  /** A stream that does not wait for the default stream. */
  long createStream() {
    int nonBlocking = 1;
    return out(streamCreate, o -> (int) streamCreate.handle.invokeExact(o, nonBlocking));
  }

  void destroyStream(long stream) {
    call(streamDestroy, stream);
  }

  void synchronizeStream(long stream) {
    call(streamSynchronize, stream);
  }

  /** An event without a time, whose waiters sleep. */
  long createEvent() {
    int blockingSyncWithoutTiming = 3;
    return out(
        eventCreate, o -> (int) eventCreate.handle.invokeExact(o, blockingSyncWithoutTiming));
  }

  void recordEvent(long event, long stream) {
    check(eventRecord, () -> (int) eventRecord.handle.invokeExact(event, stream));
  }

  /** Whether all work before the last record is done. */
  boolean eventFired(long event) {
    int result = run(() -> (int) eventQuery.handle.invokeExact(event));
    if (result != 0 && result != NOT_READY) {
      throw failure(eventQuery.name, result);
    }
    return result == 0;
  }

  void synchronizeEvent(long event) {
    call(eventSynchronize, event);
  }

  void destroyEvent(long event) {
    call(eventDestroy, event);
  }

  // ---- remote writes ----

  boolean canFlushRemoteWrites() {
    return !flushWrites.missing();
  }

  /** Returns when the device of the current context sees what NICs wrote before. */
  void flushRemoteWrites() {
    int currentContext = 0;
    int toOwner = 100;
    check(flushWrites, () -> (int) flushWrites.handle.invokeExact(currentContext, toOwner));
  }
}
