package io.s3rdma.client;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server as a process of its own, to be killed. */
final class ServerProcess implements AutoCloseable {
  private final Process process;
  private final URI endpoint;

  private ServerProcess(Process process, URI endpoint) {
    this.process = process;
    this.endpoint = endpoint;
  }

  /** Starts it on the rail's address with the given data and waits until it listens. */
  static ServerProcess start(Path data, String... properties) throws IOException {
    List<String> options = new ArrayList<>(List.of("-Ds3rdma.admin.allow-remote=true"));
    Collections.addAll(options, properties);
    ProcessBuilder builder =
        java(
            options,
            "io.s3rdma.server.Main",
            "--data",
            data.toString(),
            "--listen",
            Lab.railAddress().getHostAddress() + ":0");
    builder.environment().put("S3RDMA_ACCESS_KEY", Lab.ACCESS_KEY);
    builder.environment().put("S3RDMA_SECRET_KEY", Lab.SECRET_KEY);
    Process process = builder.start();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String line = out.readLine();
    while (line != null && !line.contains("listening on ")) {
      line = out.readLine();
    }
    if (line == null) {
      throw new IOException("the server ended with " + process.exitValue());
    }
    String url = line.substring(line.indexOf("http://")).trim();
    return new ServerProcess(process, URI.create(url));
  }

  /** A JVM with this one's class path. */
  static ProcessBuilder java(List<String> options, String main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-Ds3rdma.native.provider=" + System.getProperty("s3rdma.native.provider"));
    command.addAll(options);
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(main);
    Collections.addAll(command, arguments);
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
  }

  URI endpoint() {
    return endpoint;
  }

  double metric(String name) {
    return Metric.read(endpoint, name);
  }

  S3RdmaClientBuilder client() {
    return S3RdmaClient.builder().endpoint(endpoint).credentials(Lab.ACCESS_KEY, Lab.SECRET_KEY);
  }

  /** kill -9. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
