package io.s3rdma.bench;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An s3rdma server as a process of its own, as it is deployed. */
final class ServerProcess implements AutoCloseable {
  static final String ACCESS_KEY = "BENCHKEY";
  static final String SECRET_KEY = "bench-secret";
  private static final String LISTENING = "listening on ";
  private static final int STOP_SECONDS = 30;

  private final Process process;
  private final URI endpoint;

  private ServerProcess(Process process, URI endpoint) {
    this.process = process;
    this.endpoint = endpoint;
  }

  /** Starts it and waits until it listens. */
  static ServerProcess start(ServerLaunch launch) throws IOException {
    Files.createDirectories(launch.data());
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.add("--enable-native-access=ALL-UNNAMED");
    if (Runtime.version().feature() >= 23) {
      command.add("--sun-misc-unsafe-memory-access=allow"); // as ./s3rdma server does
    }
    command.addAll(launch.jvm());
    String extra = System.getProperty("s3rdma.bench.server-args", "");
    if (!extra.isEmpty()) {
      command.addAll(List.of(extra.split(" ", -1)));
    }
    launch.settings().forEach((key, value) -> command.add("-Ds3rdma." + key + "=" + value));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), launch.main()));
    command.addAll(List.of("--data", launch.data().toString()));
    command.addAll(List.of("--listen", launch.host() + ":0"));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("S3RDMA_ACCESS_KEY", ACCESS_KEY);
    builder.environment().put("S3RDMA_SECRET_KEY", SECRET_KEY);
    builder.redirectError(launch.log().toFile());
    Process process = builder.start();
    return new ServerProcess(process, awaitEndpoint(process, launch.log()));
  }

  private static URI awaitEndpoint(Process process, Path log) throws IOException {
    BufferedReader out = process.inputReader(Host.CHARSET);
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      int at = line.indexOf(LISTENING);
      if (at >= 0) {
        drain(out);
        return URI.create(line.substring(at + LISTENING.length()).trim());
      }
    }
    throw new IOException("the server did not start: " + Files.readString(log));
  }

  /** Else a full pipe would stop the server. */
  private static void drain(BufferedReader out) {
    Thread.ofVirtual()
        .start(
            () -> {
              try (out) {
                while (out.readLine() != null) {
                  Thread.onSpinWait();
                }
              } catch (IOException e) {
                Thread.currentThread().interrupt(); // the server is gone, and so is this thread
              }
            });
  }

  URI endpoint() {
    return endpoint;
  }

  Process process() {
    return process;
  }

  /** User and system time since its start. */
  double cpuSeconds() {
    Duration total = process.info().totalCpuDuration().orElse(Duration.ZERO);
    return total.toNanos() / 1e9;
  }

  @Override
  public void close() throws IOException {
    process.destroy();
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  /** Where its data lies, removed with all that is in it. */
  static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      files.map(Path::toFile).sorted((a, b) -> b.compareTo(a)).forEach(File::delete);
    }
  }
}
