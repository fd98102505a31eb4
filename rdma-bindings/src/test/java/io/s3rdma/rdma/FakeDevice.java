package io.s3rdma.rdma;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;

/** Controls of the fake device for the tests of every module (rdma-native/fake/s3rdma_fake.h). */
public final class FakeDevice {
  /** Work requests that a fault matches. */
  public enum Operation {
    WRITE_OR_READ(0),
    WRITE(1),
    READ(2),
    BIND(3),
    INVALIDATE(4);

    private final int code;

    Operation(int code) {
      this.code = code;
    }
  }

  /** What goes wrong. */
  public enum Fault {
    STATUS(1),
    LOSE_COMPLETION(2),
    DELAY_MILLIS(3),
    LATE_WRITE_MILLIS(4),
    STALL(5),
    SHORT_BYTES(6),
    PSN_SKIP(7),
    REGISTER_ERRNO(8),
    REGISTER_DMABUF_ERRNO(9),
    CREATE_QUEUE_PAIR_ERRNO(10),
    POST_ERRNO(11),
    ASYNC_EVENT(12);

    private final int code;

    Fault(int code) {
      this.code = code;
    }
  }

  private FakeDevice() {}

  /** True if this JVM's provider is the fake. */
  public static boolean isThere() {
    return Rdma.libraryAvailability().available() && Rdma.provider().equals("fake");
  }

  /** Arms a fault for the next {@code times} matching work requests after {@code skip} others. */
  public static void arm(Fault fault, Operation operation, int skip, int times, long argument) {
    call(
        "s3r_fake_arm",
        new MemoryLayout[] {JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG},
        fault.code,
        operation.code,
        skip,
        times,
        argument);
  }

  public static void reset() {
    call("s3r_fake_reset", new MemoryLayout[0]);
  }

  public static void dmabuf(boolean works) {
    call("s3r_fake_dmabuf", new MemoryLayout[] {JAVA_INT}, works ? 1 : 0);
  }

  public static void devices(int count) {
    call("s3r_fake_devices", new MemoryLayout[] {JAVA_INT}, count);
  }

  public static void port(int device, boolean active) {
    call("s3r_fake_port", new MemoryLayout[] {JAVA_INT, JAVA_INT}, device, active ? 1 : 0);
  }

  /** Gives a device another IPv4 address, and raises the event of it. */
  public static void address(int device, String ipv4) {
    int bits = 0;
    for (byte b : java.net.InetAddress.ofLiteral(ipv4).getAddress()) {
      bits = bits << 8 | (b & 0xff);
    }
    call("s3r_fake_address", new MemoryLayout[] {JAVA_INT, JAVA_INT}, device, bits);
  }

  public static void mtu(int bytes) {
    call(
        "s3r_fake_limits",
        new MemoryLayout[] {JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT},
        0,
        0,
        0,
        0,
        bytes);
  }

  /** Work requests executed since the last reset. */
  public static long executed(Operation operation) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(JAVA_LONG, 2);
      call(
          "s3r_fake_totals",
          new MemoryLayout[] {JAVA_INT, ADDRESS, ADDRESS},
          operation.code,
          out,
          out.asSlice(8));
      return out.getAtIndex(JAVA_LONG, 1);
    }
  }

  /** Waits for a condition, failing loudly; for effects that come from other threads. */
  public static void eventually(java.util.function.BooleanSupplier condition, String what) {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > until) {
        throw new AssertionError("never came true: " + what);
      }
      try {
        Thread.sleep(5);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private static void call(String function, MemoryLayout[] layout, Object... arguments) {
    try {
      int rc = (int) NativeLibrary.get().bind(function, layout).invokeWithArguments(arguments);
      if (rc < 0) {
        throw new AssertionError(function + " answered " + rc);
      }
    } catch (Throwable e) {
      throw new AssertionError(function, e);
    }
  }
}
