package io.s3rdma.rdma;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * The controls of the fake RDMA device that the tests of this module need. In this package because
 * only the loaded shim knows its library.
 */
public final class FakeRdmaControls {
  private static final int NEXT_REGISTER = 8;
  private static final int NEXT_REGISTER_DMA_BUF = 9;

  private FakeRdmaControls() {}

  public static void reset() {
    call("s3r_fake_disarm_all");
    dmaBuf(true);
  }

  /** Whether the device takes dma-bufs; else EOPNOTSUPP. */
  public static void dmaBuf(boolean on) {
    try {
      check((int) NativeLibrary.get().bind("s3r_fake_dmabuf", JAVA_INT).invokeExact(on ? 1 : 0));
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  public static void failNextRegister(int errno) {
    arm(NEXT_REGISTER, errno);
  }

  public static void failNextRegisterDmaBuf(int errno) {
    arm(NEXT_REGISTER_DMA_BUF, errno);
  }

  private static void arm(int fault, long argument) {
    try {
      check(
          (int)
              NativeLibrary.get()
                  .bind("s3r_fake_arm", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG)
                  .invokeExact(fault, 0, 0, 1, argument));
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static void call(String function) {
    try {
      check((int) NativeLibrary.get().bind(function).invokeExact());
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static void check(int result) {
    if (result < 0) {
      throw new IllegalStateException("control of the fake device failed: " + result);
    }
  }
}
