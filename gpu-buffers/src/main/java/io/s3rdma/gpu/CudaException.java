package io.s3rdma.gpu;

/**
 * A call of the CUDA driver failed. Carries the call, the driver's number and name, and what to do.
 * Unchecked: most callers can only close and report.
 */
public final class CudaException extends RuntimeException {
  static final int INVALID_VALUE = 1;
  static final int NO_DEVICE = 100;
  static final int NOT_SUPPORTED = 801;
  private static final long serialVersionUID = 1L;

  private final String call;
  private final int number;
  private final String name;

  private CudaException(String message, String call, int number, String name) {
    super(message);
    this.call = call;
    this.number = number;
    this.name = name;
  }

  static CudaException ofCall(String call, int number, String name, String text) {
    String message = call + " failed with " + number + " (" + name + "): " + text;
    return new CudaException(message + "; " + advice(number), call, number, name);
  }

  static CudaException unavailable(String cause) {
    return new CudaException(
        "CUDA is not available: " + cause, "load", NO_DEVICE, "CUDA_ERROR_NO_DEVICE");
  }

  private static String advice(int number) {
    return switch (number) {
      case INVALID_VALUE -> "an address, a length or a flag is wrong, or the memory was freed";
      case 2 -> "free memory on that GPU, or use smaller buffers or fewer slots";
      case NO_DEVICE -> "no GPU is visible; look at nvidia-smi and CUDA_VISIBLE_DEVICES";
      case 101 -> "there is no GPU of that ordinal";
      case 201 -> "the calling thread has no usable context: a fault of this library, report it";
      case 304 -> "the operating system refused; look at the memlock limit and the kernel log";
      case 400 -> "a stream or event was used after it was closed or under another context";
      case 700, 719 -> "the context is lost: every later call fails, restart the process";
      case NOT_SUPPORTED -> "this driver or GPU cannot do it; another way is needed";
      case 802, 803 -> "driver and library do not match; reboot or reinstall the driver";
      default -> "look up the number in the CUDA driver manual and at the kernel log (dmesg)";
    };
  }

  /** The failing call of the driver, "load" if there is no driver. */
  public String call() {
    return call;
  }

  /** The driver's CUresult. */
  public int number() {
    return number;
  }

  /** The driver's name of the number, for example CUDA_ERROR_OUT_OF_MEMORY. */
  public String name() {
    return name;
  }
}
