package io.s3rdma.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What the kernel's {@code stat} file says of a process or thread; immutable.
 *
 * @param ofKernel whether it is one of the kernel's own threads
 * @param nanos user and system time since its start; the file counts ticks of 10 ms
 */
record Stat(boolean ofKernel, long nanos) {
  // Behind the state, which is field 0 here; the name before it may hold spaces.
  private static final int FLAGS = 6;
  private static final int USER = 11;
  private static final int SYSTEM = 12;
  private static final long KERNEL_THREAD = 0x0020_0000;
  // The kernel shows 100 ticks a second whatever it counts.
  private static final long TICK_NANOS = 10_000_000;

  /** Empty if it has ended. */
  static Optional<Stat> read(Path folder) throws IOException {
    try {
      return Optional.of(parse(Files.readString(folder.resolve("stat"))));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      if (Files.exists(folder)) {
        throw e;
      }
      return Optional.empty(); // it ended between the open and the read
    }
  }

  static Stat parse(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).trim().split(" ", -1);
    long ticks = Long.parseLong(fields[USER]) + Long.parseLong(fields[SYSTEM]);
    boolean ofKernel = (Long.parseLong(fields[FLAGS]) & KERNEL_THREAD) != 0;
    return new Stat(ofKernel, ticks * TICK_NANOS);
  }
}
