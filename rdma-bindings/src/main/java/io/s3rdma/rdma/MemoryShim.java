package io.s3rdma.rdma;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The downcalls into libs3rdma for host memory; see {@link Shim}. */
final class MemoryShim {
  private static final NativeLibrary LIB = NativeLibrary.get();

  private static final MethodHandle MAP = LIB.bind("s3r_memory_map", JAVA_LONG, JAVA_INT, ADDRESS);
  private static final MethodHandle UNMAP = LIB.bind("s3r_memory_unmap", JAVA_LONG, JAVA_LONG);
  private static final MethodHandle NODE = LIB.bind("s3r_memory_node", JAVA_LONG);

  private MemoryShim() {}

  static void map(long lengthBytes, int node, MemorySegment out) {
    try {
      Shim.check((int) MAP.invokeExact(lengthBytes, node, out));
    } catch (Throwable e) {
      throw Shim.unexpected(e);
    }
  }

  static void unmap(long address, long lengthBytes) {
    try {
      Shim.check((int) UNMAP.invokeExact(address, lengthBytes));
    } catch (Throwable e) {
      throw Shim.unexpected(e);
    }
  }

  static int node(long address) {
    try {
      return Shim.check((int) NODE.invokeExact(address));
    } catch (Throwable e) {
      throw Shim.unexpected(e);
    }
  }
}
