package io.s3rdma.gpu;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The stand-in for the CUDA driver (src/test/c) and its controls. Other modules' tests call {@link
 * #install} before their first use of {@link Gpu}. No figure and no claim about GPUs may come from
 * it.
 */
public final class FakeCuda {
  private static final Path LIBRARY = unpack("libfake_cuda.so");
  private static final Path OLD_LIBRARY = unpack("libfake_cuda_old.so");
  private static final SymbolLookup SYMBOLS = open();
  private static final MethodHandle FAIL =
      bind(
          "fake_cuda_fail", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT));
  private static final MethodHandle TOUCH =
      bind(
          "fake_cuda_touch",
          FunctionDescriptor.of(JAVA_INT, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_INT));

  private FakeCuda() {}

  /** Objects alive in the fake driver. */
  public record Live(long device, long pinned, long streams, long events, long contexts) {}

  /** What the fake driver has done since the last reset. */
  public record Counters(
      long copiesIn,
      long copiesOut,
      long bytesIn,
      long bytesOut,
      long flushes,
      long exports,
      long exportsPcie,
      long faults) {}

  /** The library's path, for {@code s3rdma.cuda.library}. */
  public static Path library() {
    return LIBRARY;
  }

  /** A driver of CUDA 11.2: no dma-buf export, no flush, no attributes about them. */
  public static Path oldLibrary() {
    return OLD_LIBRARY;
  }

  /** Makes {@link Gpu} of this process use the fake; before its first use. */
  public static void install() {
    System.setProperty(Gpu.LIBRARY_PROPERTY, LIBRARY.toString());
  }

  /** All settings, counters and armed failures as at the start. */
  public static void reset() {
    invoke("fake_cuda_reset");
  }

  /** Device addresses can be read and written by the CPU, so peer memory registration works. */
  public static void touchable() {
    set("mode", 0);
  }

  /** Any use of a device address by the CPU kills the process. */
  public static void protect() {
    set("mode", 1);
  }

  public static void devices(int count) {
    set("devices", count);
  }

  public static void dmaBuf(boolean on) {
    set("dmabuf", on ? 1 : 0);
  }

  public static void peerMemory(boolean on) {
    set("peer", on ? 1 : 0);
  }

  public static void pcieMapping(boolean on) {
    set("pcie_flag", on ? 1 : 0);
  }

  /** Attribute GPU_DIRECT_RDMA_WRITES_ORDERING. */
  public static void writesOrdering(int value) {
    set("ordering", value);
  }

  /** Attribute GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS. */
  public static void flushOptions(int bits) {
    set("flush_options", bits);
  }

  /** Where allocations begin within a page; -1 for another place each time. */
  public static void baseOffset(int bytes) {
    set("base_offset", bytes);
  }

  /** Time before each asynchronous copy. */
  public static void delayMicros(int micros) {
    set("delay_micros", micros);
  }

  /** The named driver call fails {@code times} times after {@code skip} good ones. */
  public static void fail(String call, int result, int skip, int times) {
    int refused;
    try (Arena arena = Arena.ofConfined()) {
      refused = (int) FAIL.invokeExact(arena.allocateFrom(call), result, skip, times);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
    if (refused != 0) {
      throw new IllegalStateException("too many armed failures");
    }
  }

  public static Live live() {
    long[] n = numbers("fake_cuda_live", 5);
    return new Live(n[0], n[1], n[2], n[3], n[4]);
  }

  public static Counters counters() {
    long[] n = numbers("fake_cuda_counters", 8);
    return new Counters(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]);
  }

  /** Guard bytes around live allocations that were overwritten. */
  public static long guardsBroken() {
    return number("fake_cuda_guards_broken");
  }

  /** Bytes of freed memory that were written later. */
  public static long freedChanged() {
    return number("fake_cuda_freed_changed");
  }

  /** Device bytes as a kernel on the GPU sees them. */
  public static byte[] read(long devicePointer, int length) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(length);
      touch(devicePointer, out, 0);
      return out.toArray(JAVA_BYTE);
    }
  }

  /** Writes device bytes as a kernel on the GPU would. */
  public static void write(long devicePointer, byte[] bytes) {
    try (Arena arena = Arena.ofConfined()) {
      touch(devicePointer, arena.allocateFrom(JAVA_BYTE, bytes), 1);
    }
  }

  private static void touch(long devicePointer, MemorySegment host, int write) {
    int result;
    try {
      result = (int) TOUCH.invokeExact(devicePointer, host, host.byteSize(), write);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
    if (result != 0) {
      throw new IllegalArgumentException("no live device memory at " + devicePointer);
    }
  }

  // ---- calls ----

  private static void set(String setting, int value) {
    try {
      bind("fake_cuda_set_" + setting, FunctionDescriptor.ofVoid(JAVA_INT)).invokeExact(value);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static void invoke(String function) {
    try {
      bind(function, FunctionDescriptor.ofVoid()).invokeExact();
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static long number(String function) {
    try {
      return (long) bind(function, FunctionDescriptor.of(JAVA_LONG)).invokeExact();
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static long[] numbers(String function, int count) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(JAVA_LONG, count);
      bind(function, FunctionDescriptor.ofVoid(ADDRESS)).invokeExact(out);
      return out.toArray(JAVA_LONG);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  @SuppressWarnings("restricted")
  private static MethodHandle bind(String function, FunctionDescriptor descriptor) {
    return Linker.nativeLinker().downcallHandle(SYMBOLS.find(function).orElseThrow(), descriptor);
  }

  @SuppressWarnings("restricted")
  private static SymbolLookup open() {
    return SymbolLookup.libraryLookup(LIBRARY, Arena.global());
  }

  /** The file stays until exit: everyone who opens this path gets the same driver state. */
  private static Path unpack(String file) {
    String arch = System.getProperty("os.arch");
    String resource = "native/linux-" + (arch.equals("amd64") ? "x86_64" : arch) + "/" + file;
    try (InputStream in = FakeCuda.class.getClassLoader().getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("no " + resource + "; the build makes it with gcc");
      }
      Path target = Files.createTempFile("libfake_cuda", ".so");
      target.toFile().deleteOnExit();
      Files.copy(in, target, StandardCopyOption.REPLACE_EXISTING);
      return target;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
