package io.s3rdma.bench.faults;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Commands on the server's or the client's host, which are network namespaces here. */
final class Shell {
  private static final int LIMIT_SECONDS = 90;

  private Shell() {}

  /** On the server's host; returns what it printed. */
  static String server(String command) throws IOException {
    return run("ip netns exec server " + command);
  }

  /** On the client's, where this process is. */
  static String client(String command) throws IOException {
    return run(command);
  }

  static String run(String command) throws IOException {
    return await(start(command), command);
  }

  /** Waits for its end; returns what it printed. */
  static String await(Process process, String command) throws IOException {
    try {
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException(command + " did not end within " + LIMIT_SECONDS + " s");
      }
      if (process.exitValue() != 0) {
        throw new IOException(command + " ended with " + process.exitValue() + ": " + said.strip());
      }
      return said;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted in " + command, e);
    }
  }

  /** Does not wait; both streams are the process's output. */
  static Process start(String command) throws IOException {
    List<String> words = new ArrayList<>(List.of(command.split(" ", -1)));
    return new ProcessBuilder(words).redirectErrorStream(true).start();
  }

  static void pause(long millis) throws IOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
