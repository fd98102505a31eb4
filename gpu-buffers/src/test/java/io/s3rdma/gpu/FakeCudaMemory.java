package io.s3rdma.gpu;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;

/** Memory kinds that the driver has and this module never allocates. */
final class FakeCudaMemory {
  private FakeCudaMemory() {}

  @SuppressWarnings("restricted")
  static long allocateManaged(CudaDevice device, long lengthBytes) {
    try (CudaDevice.Binding _ = device.bind();
        Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(JAVA_LONG);
      int result =
          (int)
              Linker.nativeLinker()
                  .downcallHandle(
                      SymbolLookup.libraryLookup(FakeCuda.library(), Arena.global())
                          .find("cuMemAllocManaged")
                          .orElseThrow(),
                      FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT))
                  .invokeExact(out, lengthBytes, 1);
      if (result != 0) {
        throw new IllegalStateException("cuMemAllocManaged: " + result);
      }
      return out.get(JAVA_LONG, 0);
    } catch (RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
