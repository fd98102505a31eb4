package io.s3rdma.client.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * The server of the demo, a process of its own with its data in a temporary folder. {@link #close}
 * stops it gracefully and removes the folder; so does the end of this JVM by a signal.
 */
final class DemoServer implements AutoCloseable {
  /** System property: class path of the server. Else this JVM's. */
  static final String CLASS_PATH_PROPERTY = "s3rdma.demo.server";

  private static final String READY = "s3rdma server listening on ";

  /** An emulated machine takes minutes for what takes a second elsewhere. */
  private static final int START_SECONDS = 300;

  private static final int STOP_SECONDS = 20;

  private final Path folder;
  private final Process process;
  private final Thread hook;
  private URI endpoint;

  private DemoServer(Path folder, Process process) {
    this.folder = folder;
    this.process = process;
    this.hook = new Thread(this::stop, "s3rdma-demo-stop");
  }

  static DemoServer start(InetAddress address, DemoKeys keys) throws IOException {
    Path folder = Files.createTempDirectory("s3rdma-demo");
    String host = address.getHostAddress();
    List<String> command =
        JavaProcess.command(
            System.getProperty(CLASS_PATH_PROPERTY, System.getProperty("java.class.path")),
            "io.s3rdma.server.Main",
            "--data",
            folder.resolve("data").toString(),
            "--listen",
            (host.contains(":") ? "[" + host + "]" : host) + ":0");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(folder.resolve("server.log").toFile());
    keys.into(builder.environment());
    DemoServer server = new DemoServer(folder, builder.start());
    Runtime.getRuntime().addShutdownHook(server.hook);
    try {
      server.awaitReady();
      return server;
    } catch (IOException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private void awaitReady() throws IOException {
    BufferedReader out = process.inputReader(UTF_8);
    CompletableFuture<String> line =
        CompletableFuture.supplyAsync(
            () -> out.lines().filter(l -> l.startsWith(READY)).findFirst().orElse(""));
    String ready;
    try {
      ready = line.get(START_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException e) {
      throw new IOException("the server did not become ready: " + log(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    if (ready.isEmpty()) {
      throw new IOException("the server did not start: " + log());
    }
    endpoint = URI.create(ready.substring(READY.length()));
  }

  private String log() throws IOException {
    List<String> lines = Files.readAllLines(folder.resolve("server.log"), UTF_8);
    return String.join(" | ", lines.subList(Math.max(0, lines.size() - 5), lines.size()));
  }

  URI endpoint() {
    return endpoint;
  }

  long pid() {
    return process.pid();
  }

  Path folder() {
    return folder;
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return; // the JVM ends and the hook is at work
    }
    stop();
  }

  private void stop() {
    process.destroy();
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      // Left in the temporary folder, which is for that.
      process.destroyForcibly();
    }
  }

  /** Credentials for one run, handed on in the environment where no process list shows them. */
  record DemoKeys(String accessKey, String secretKey) {
    private static final String PREFIX = "S3RDMA_";

    /** Takes out all other settings of ours: the demo is the same whatever the shell has set. */
    void into(Map<String, String> environment) {
      environment.keySet().removeIf(name -> name.startsWith(PREFIX));
      environment.put(PREFIX + "ACCESS_KEY", accessKey);
      environment.put(PREFIX + "SECRET_KEY", secretKey);
    }

    @Override
    public String toString() {
      return "DemoKeys";
    }
  }
}
