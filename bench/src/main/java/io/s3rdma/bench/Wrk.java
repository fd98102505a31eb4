package io.s3rdma.bench;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The load generator: keep-alive connections that read answers and throw the bytes away. */
final class Wrk {
  static final String PROGRAM = "wrk";
  private static final String MARK = "bench ";

  /** wrk rounds what it prints, so it is asked for the numbers. */
  private static final String SCRIPT =
      """
      done = function(summary, latency, requests)
        local e = summary.errors
        io.write(string.format("bench %.0f %.0f %.0f %.0f\\n", summary.bytes, summary.requests,
          summary.duration, e.connect + e.read + e.write + e.status + e.timeout))
      end
      """;

  /** The shell tells the CPU time of what it has run. */
  private static final String SHELL = PROGRAM + " \"$@\" && times";

  /**
   * What one measurement moved.
   *
   * @param cpuSeconds user and system time of the load generator
   */
  record Load(long bytes, long requests, double seconds, double cpuSeconds) {}

  private final Path script;
  private final int threads;

  Wrk(Path folder, int threads) throws IOException {
    this.script = folder.resolve("wrk.lua");
    this.threads = threads;
    Files.writeString(script, SCRIPT);
  }

  /** Any answer that is not a 2xx, and any broken connection, makes the run worthless. */
  Load run(URI url, int connections, int seconds) throws IOException {
    List<String> command = new ArrayList<>(List.of("sh", "-c", SHELL, "sh"));
    command.addAll(List.of("-t", Integer.toString(threads), "-c", Integer.toString(connections)));
    command.addAll(List.of("-d", seconds + "s", "--timeout", "60s"));
    command.addAll(List.of("-s", script.toString(), url.toString()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), Host.CHARSET);
    List<String> lines = said.lines().toList();
    List<String> numbers =
        lines.stream()
            .filter(line -> line.startsWith(MARK))
            .map(line -> List.of(line.split(" ", -1)))
            .findFirst()
            .orElseThrow(() -> new IOException("wrk gave no figures: " + said));
    if (!numbers.get(4).equals("0")) {
      throw new IOException("errors under load, so no figures: " + said);
    }
    return new Load(
        Long.parseLong(numbers.get(1)),
        Long.parseLong(numbers.get(2)),
        Double.parseDouble(numbers.get(3)) / 1e6,
        childrenSeconds(lines.getLast()));
  }

  /** The second line of {@code times}: user and system time of the children, as 0m1.23s 0m4.56s. */
  private static double childrenSeconds(String line) {
    double sum = 0;
    for (String time : line.trim().split(" ", -1)) {
      int minutes = time.indexOf('m');
      sum += 60 * Double.parseDouble(time.substring(0, minutes));
      sum += Double.parseDouble(time.substring(minutes + 1, time.length() - 1));
    }
    return sum;
  }
}
