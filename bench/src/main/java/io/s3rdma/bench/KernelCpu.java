package io.s3rdma.bench;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * CPU time of the kernel's own threads, where Soft-RoCE moves the bytes. It stands beside that of
 * the processes to show that the work is seen, and is in none of them.
 */
final class KernelCpu {
  private static final Path PROCESSES = Path.of("/proc");
  private static final String NUMBERS = "[0-9]*";

  private KernelCpu() {}

  /** Seconds since their starts; ticks of 10 ms. A thread that ends takes its time with it. */
  static double seconds() throws IOException {
    double sum = 0;
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROCESSES, NUMBERS)) {
      for (Path process : processes) {
        sum += Stat.read(process).filter(Stat::ofKernel).map(Stat::nanos).orElse(0L) / 1e9;
      }
    }
    return sum;
  }
}
