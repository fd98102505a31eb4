package io.s3rdma.gpu;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;

/** The two libc calls that an export needs. Initialised only once a driver is loaded. */
final class HostSystem {
  private static final MethodHandle CLOSE = bind("close", JAVA_INT);
  private static final MethodHandle PAGE_SIZE = bind("getpagesize");

  private HostSystem() {}

  @SuppressWarnings("restricted")
  private static MethodHandle bind(String function, MemoryLayout... arguments) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker
            .defaultLookup()
            .find(function)
            .orElseThrow(() -> new IllegalStateException("libc lacks " + function)),
        FunctionDescriptor.of(JAVA_INT, arguments));
  }

  /** Bytes of a host page; a power of two, not always 4096. */
  static long pageBytes() {
    try {
      return (int) PAGE_SIZE.invokeExact();
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Closes a descriptor. Linux lets it go whatever the result, so there is nothing to repeat. */
  static void close(int fd) {
    try {
      int ignored = (int) CLOSE.invokeExact(fd);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private static IllegalStateException unexpected(Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    return new IllegalStateException("downcall failed: " + e, e);
  }
}
