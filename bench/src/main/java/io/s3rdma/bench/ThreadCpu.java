package io.s3rdma.bench;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

/** CPU time of all threads of this process, native ones too; nanoseconds since their starts. */
final class ThreadCpu {
  private static final Path TASKS = Path.of("/proc/self/task");
  // Behind the state, which is field 0 here; the kernel shows 100 ticks a second whatever it
  // counts.
  private static final int USER = 11;
  private static final int SYSTEM = 12;
  private static final long TICK_NANOS = 10_000_000;

  private ThreadCpu() {}

  /** User and system time by part. What a thread used that has ended since is not in it. */
  static Map<Part, Long> nanos() throws IOException {
    Map<Part, Long> sums = new EnumMap<>(Part.class);
    for (Part part : Part.values()) {
      sums.put(part, 0L);
    }
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
      for (Path task : tasks) {
        try {
          Part part = Part.of(Files.readString(task.resolve("comm")));
          sums.merge(part, nanosOf(task), Long::sum);
        } catch (NoSuchFileException e) {
          sums.merge(Part.REST, 0L, Long::sum); // ended meanwhile, and its time with it
        }
      }
    }
    return sums;
  }

  private static long nanosOf(Path task) throws IOException {
    Path precise = task.resolve("schedstat");
    if (Files.exists(precise)) {
      String ran = Files.readString(precise);
      return Long.parseLong(ran.substring(0, ran.indexOf(' ')));
    }
    // Not every kernel has it (User-Mode Linux has not); all have ticks. The name may hold spaces.
    String stat = Files.readString(task.resolve("stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[USER]) + Long.parseLong(fields[SYSTEM])) * TICK_NANOS;
  }
}
