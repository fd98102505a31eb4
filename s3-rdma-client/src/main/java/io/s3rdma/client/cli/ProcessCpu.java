package io.s3rdma.client.cli;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** CPU time of processes. */
final class ProcessCpu {
  /** Linux tells user space 100 ticks a second on every platform that Java runs on. */
  private static final double TICKS_PER_SECOND = 100;

  private static final int UTIME_AFTER_NAME = 11;

  private ProcessCpu() {}

  /** User and system seconds of another process, in steps of 10 ms. */
  static double of(long pid) throws IOException {
    return parse(Files.readString(Path.of("/proc", Long.toString(pid), "stat")));
  }

  /** The name, in brackets, may hold blanks and brackets itself. */
  static double parse(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    long user = Long.parseLong(fields[UTIME_AFTER_NAME]);
    long system = Long.parseLong(fields[UTIME_AFTER_NAME + 1]);
    return (user + system) / TICKS_PER_SECOND;
  }

  /** Of this process. */
  static double own() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean bean
        ? bean.getProcessCpuTime() / 1e9
        : 0;
  }
}
