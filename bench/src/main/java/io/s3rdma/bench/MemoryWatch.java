package io.s3rdma.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The server's main class with a thread beside it that notes the most memory it has seen in use.
 * Netty counts its direct memory by itself, and only inside the process, hence this.
 */
final class MemoryWatch {
  /** System property: the file that the figures go to, in bytes: heap, JDK direct, Netty direct. */
  static final String FILE = "s3rdma.bench.memory";

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final int ROUNDS_A_FILE = 10;

  private MemoryWatch() {}

  public static void main(String[] args) {
    Path file = Path.of(System.getProperty(FILE));
    Thread.ofPlatform().daemon().name("memory-watch").start(() -> watch(file));
    io.s3rdma.server.Main.main(args);
  }

  private static void watch(Path file) {
    MethodHandle used = nettyCounter();
    long heap = 0;
    long direct = 0;
    long netty = 0;
    for (int i = 0; ; i++) {
      heap = Math.max(heap, heapBytes());
      direct = Math.max(direct, directBytes());
      netty = Math.max(netty, nettyBytes(used));
      if (i % ROUNDS_A_FILE == 0) {
        write(file, heap + " " + direct + " " + netty);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private static long heapBytes() {
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  /** By its name, since only the server's package http may know Netty. */
  private static MethodHandle nettyCounter() {
    try {
      return MethodHandles.lookup()
          .findStatic(
              Class.forName("io.netty.util.internal.PlatformDependent"),
              "usedDirectMemory",
              MethodType.methodType(long.class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Netty does not tell its direct memory any more", e);
    }
  }

  private static long nettyBytes(MethodHandle used) {
    try {
      return (long) used.invokeExact();
    } catch (Throwable e) {
      throw new IllegalStateException("Netty does not tell its direct memory", e);
    }
  }

  /** Whoever reads sees a whole line. */
  private static void write(Path file, String line) {
    try {
      Path part = file.resolveSibling(file.getFileName() + ".part");
      Files.writeString(part, line);
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot note the memory in use in " + file, e);
    }
  }
}
