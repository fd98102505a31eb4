package io.s3rdma.bench.faults;

import io.s3rdma.client.RdmaPolicy;
import io.s3rdma.client.S3RdmaClient;
import io.s3rdma.client.S3RdmaClientBuilder;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A server on the server's host, as a process of its own that can be stopped and killed. */
final class FaultServer implements AutoCloseable {
  static final String ADDRESS = "10.9.0.1";
  static final String BUCKET = "faults";
  private static final String ACCESS_KEY = "FAULTKEY";
  private static final String SECRET_KEY = "fault-secret";
  private static final String LISTENING = "listening on ";
  private static final int STOP_SECONDS = 90; // Soft-RoCE may hold a queue pair for 50

  private final Process process;
  private final URI endpoint;

  private FaultServer(Process process, URI endpoint) {
    this.process = process;
    this.endpoint = endpoint;
  }

  /**
   * Starts it and waits until it listens.
   *
   * @param prefix words before java, such as prlimit and its options; empty for none
   */
  static FaultServer start(Path data, String prefix, Map<String, Object> settings)
      throws IOException {
    List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", "server"));
    if (!prefix.isEmpty()) {
      command.addAll(List.of(prefix.split(" ", -1)));
    }
    command.add(ProcessHandle.current().info().command().orElse("java"));
    // A fixed number of threads, so that one more is a leak.
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "-XX:+UseSerialGC",
            "-XX:-UseDynamicNumberOfCompilerThreads",
            "-Xmx512m",
            "-Ds3rdma.admin.allow-remote=true",
            "-Ds3rdma.store.durability=none",
            "-Ds3rdma.log.access=false",
            "-Ds3rdma.http.operation-threads=16",
            "-Ds3rdma.rdma.connection-idle-seconds=4"));
    settings.forEach((key, value) -> command.add("-Ds3rdma." + key + "=" + value));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.s3rdma.server.Main"));
    command.addAll(List.of("--data", data.toString(), "--listen", ADDRESS + ":0"));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("S3RDMA_ACCESS_KEY", ACCESS_KEY);
    builder.environment().put("S3RDMA_SECRET_KEY", SECRET_KEY);
    Files.createDirectories(data);
    File log = data.resolveSibling(data.getFileName() + ".log").toFile();
    builder.redirectError(ProcessBuilder.Redirect.appendTo(log));
    Process process = builder.start();
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      int at = line.indexOf(LISTENING);
      if (at >= 0) {
        return new FaultServer(process, URI.create(line.substring(at + LISTENING.length()).trim()));
      }
    }
    throw new IOException("the server did not start: " + Files.readString(log.toPath()));
  }

  URI endpoint() {
    return endpoint;
  }

  /** ip netns exec replaces itself, so this is the JVM's. */
  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  S3RdmaClientBuilder client(RdmaPolicy policy) {
    return client(endpoint, policy);
  }

  /** A client of the server there, which may be another process's. */
  static S3RdmaClientBuilder client(URI endpoint, RdmaPolicy policy) {
    return S3RdmaClient.builder()
        .endpoint(endpoint)
        .policy(policy)
        .credentials(ACCESS_KEY, SECRET_KEY)
        .attemptsMax(Load.ATTEMPTS)
        .deadlineMillis(Load.DEADLINE_MILLIS);
  }

  void signal(String name) {
    try {
      Shell.run("kill -" + name + " " + pid());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    process.destroy();
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
        throw new IOException("the server did not stop within " + STOP_SECONDS + " s");
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
