package io.s3rdma.bench.faults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.s3rdma.client.RdmaPolicy;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A client on the client's host that is a process of its own, so that it can be stopped. */
final class FaultClient implements AutoCloseable {
  private final Process process;
  private final BufferedReader out;

  private FaultClient(Process process) {
    this.process = process;
    this.out = process.inputReader(StandardCharsets.UTF_8);
  }

  static FaultClient start(URI server, RdmaPolicy policy, int transfers, String prefix)
      throws IOException {
    return start("", server, policy, transfers, prefix);
  }

  /**
   * Starts it; does not wait.
   *
   * @param before words before java, such as prlimit and its options; empty for none
   */
  static FaultClient start(
      String before, URI server, RdmaPolicy policy, int transfers, String prefix)
      throws IOException {
    List<String> command = new ArrayList<>();
    if (!before.isEmpty()) {
      command.addAll(List.of(before.split(" ", -1)));
    }
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-Xmx512m"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.s3rdma.bench.Main"));
    command.addAll(List.of("fault-load", "--endpoint", server.toString()));
    command.addAll(List.of("--policy", policy.name(), "--prefix", prefix));
    command.addAll(List.of("--transfers", Integer.toString(transfers)));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    return new FaultClient(builder.start());
  }

  /** Until its first transfers run. */
  void awaitTransfers() throws IOException {
    String line = out.readLine();
    if (!FaultLoadCommand.UNDER_WAY.equals(line)) {
      throw new IOException("the other client said " + line);
    }
  }

  void signal(String name) throws IOException {
    Shell.run("kill -" + name + " " + process.pid());
  }

  /** What came of its transfers, after the last one. */
  JsonNode result() throws IOException {
    String last = "";
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      last = line;
    }
    if (!last.startsWith("{")) {
      throw new IOException("the other client ended without a result: " + last);
    }
    return new ObjectMapper().readTree(last);
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    out.close();
  }
}
