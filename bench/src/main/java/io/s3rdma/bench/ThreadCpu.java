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
    // Not every kernel has it (User-Mode Linux has not); all have ticks.
    return Stat.read(task).map(Stat::nanos).orElse(0L);
  }
}
