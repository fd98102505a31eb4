package io.s3rdma.bench;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ObjLongConsumer;
import java.util.regex.Pattern;

/** CPU time of all threads of a process, native ones too, at one moment; immutable. */
final class ThreadCpu {
  private static final Pattern NUMBERS = Pattern.compile("[0-9]+");

  /**
   * What one thread used.
   *
   * @param nanos user and system time since its start
   */
  record Used(String name, long nanos) {}

  private final Map<String, Used> threads;

  ThreadCpu(Map<String, Used> threads) {
    this.threads = Map.copyOf(threads);
  }

  /** Of this process. */
  static ThreadCpu now() throws IOException {
    return of("self");
  }

  /**
   * Of any process.
   *
   * @param process its folder's name in /proc
   */
  static ThreadCpu of(String process) throws IOException {
    Map<String, Used> threads = new HashMap<>();
    Path folder = Path.of("/proc", process, "task");
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(folder)) {
      for (Path task : tasks) {
        try {
          String name = Files.readString(task.resolve("comm")).trim();
          threads.put(task.getFileName().toString(), new Used(name, nanosOf(task)));
        } catch (NoSuchFileException e) {
          threads.remove(task.getFileName().toString()); // ended meanwhile, and its time with it
        }
      }
    }
    return new ThreadCpu(threads);
  }

  /** Nanoseconds by part since then; what a thread used that has ended since is not in it. */
  Map<Part, Long> since(ThreadCpu before) {
    Map<Part, Long> sums = new EnumMap<>(Part.class);
    for (Part part : Part.values()) {
      sums.put(part, 0L);
    }
    each(before, (name, nanos) -> sums.merge(Part.of(name), nanos, Long::sum));
    return sums;
  }

  /** As {@link #since}, by the threads' names, a star for each number in them. */
  Map<String, Long> namesSince(ThreadCpu before) {
    Map<String, Long> sums = new HashMap<>();
    each(
        before,
        (name, nanos) -> sums.merge(NUMBERS.matcher(name).replaceAll("*"), nanos, Long::sum));
    return sums;
  }

  private void each(ThreadCpu before, ObjLongConsumer<String> use) {
    threads.forEach(
        (id, used) -> {
          Used then = before.threads.get(id);
          use.accept(used.name, used.nanos - (then == null ? 0 : then.nanos));
        });
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
